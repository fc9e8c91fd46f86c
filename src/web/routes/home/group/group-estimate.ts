import { type CartItem, cartTotal, offsetItem } from '#domain/cart.ts';
import { add, decimal, multiply, toNumber } from '#domain/decimal.ts';
import { DEFAULT_MPG, OFFSET_TYPES, type OffsetType, type VersionedFactors } from '#domain/emissions.ts';
import type { Cents } from '#domain/money.ts';
import { optionalNameFailure } from '#domain/names.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { m } from '#messages';
import { decodeBase64Url, encodeBase64Url } from '#web/browser/base64-url.ts';
import { parseJson } from '#web/browser/parse-json.ts';
import { type Estimate, estimateAir, noEstimate, parseQuantity } from '../calculator/estimates.ts';
import { estimateCar, estimateHome, HOME_FIELDS, type HomeForm, isHomeFilled } from '../calculator/lazy-estimates.ts';

/** One row of a group estimate, as entered: a number of people who fly, cars that are driven, or utility bills. */
export type GroupRow = HomeForm & {
  readonly type: OffsetType;
  readonly label: string;
  readonly count: string;
  readonly miles: string;
  readonly mpg: string;
  readonly roundtrip: boolean;
};

export type GroupEstimate = { readonly name: string; readonly rows: readonly GroupRow[] };

export const NO_GROUP: GroupEstimate = { name: '', rows: [] };
export const MAX_ROWS = 20;
/** Maximum length of the name and of each label. */
export const MAX_LABEL_LENGTH = MAX_NAME_LENGTH;
const MAX_COUNT = 10_000;

export function createRow(type: OffsetType, label = ''): GroupRow {
  const energy = { propane: '', electricity: '', gas: '', oil: '' };
  return { type, label, count: '', miles: '', mpg: String(DEFAULT_MPG), roundtrip: type !== 'home', ...energy };
}

const createExampleRow = (type: OffsetType, label: string, numbers: Partial<GroupRow>) => ({
  ...createRow(type, label),
  ...numbers,
});

/** Examples with round numbers for the visitor to adjust. */
export const EXAMPLES: readonly GroupEstimate[] = [
  {
    name: m.groupHousehold(),
    rows: [
      createExampleRow('air', m.groupVacation(), { count: '2', miles: '1,000' }),
      createExampleRow('car', m.groupDriving(), { count: '1', miles: '10,000', roundtrip: false }),
      createExampleRow('home', m.groupMonthBills(), { count: '12', electricity: '600', gas: '40' }),
    ],
  },
  {
    name: m.groupWedding(),
    rows: [
      createExampleRow('air', m.groupGuestsFly(), { count: '30', miles: '1,000' }),
      createExampleRow('car', m.groupGuestsDrive(), { count: '40', miles: '50' }),
    ],
  },
  {
    name: m.groupConference(),
    rows: [
      createExampleRow('air', m.groupAttendeesFly(), { count: '100', miles: '1,000' }),
      createExampleRow('car', m.groupAttendeesDrive(), { count: '50', miles: '50' }),
      createExampleRow('home', m.groupVenue(), { count: '1', electricity: '5,000' }),
    ],
  },
  {
    name: m.groupClassroom(),
    rows: [
      createExampleRow('car', m.groupSchoolTrips(), { count: '10', miles: '20' }),
      createExampleRow('home', m.groupSchoolBills(), { count: '1', electricity: '20,000' }),
    ],
  },
  {
    name: m.groupBusiness(),
    rows: [
      createExampleRow('air', m.groupBusinessTrips(), { count: '10', miles: '1,000' }),
      createExampleRow('car', m.groupDeliveries(), { count: '1', miles: '10,000', roundtrip: false }),
      createExampleRow('home', m.groupMonthBills(), { count: '12', electricity: '1,000', gas: '50' }),
    ],
  },
];

/** @returns whether the estimate contains only an example's numbers */
export function isExample({ rows }: GroupEstimate): boolean {
  const texts = EXAMPLES.map((example) => serializeGroup({ name: '', rows: example.rows }));
  return texts.includes(serializeGroup({ name: '', rows }));
}

export type RowField = 'count' | 'miles' | 'mpg' | keyof HomeForm;

/** The estimate for a row. There is no item without a count, or without miles or energy. */
export function estimateRow(row: GroupRow, factorSet?: VersionedFactors): Estimate<RowField> {
  const { type, miles, mpg, count, roundtrip } = row;
  const unit = COUNT_LABELS[type].toLowerCase();
  const quantity = parseQuantity(count, { maximum: MAX_COUNT, unit, wholeOnly: true });
  const problem = quantity.kind === 'problem' ? quantity.problem : undefined;
  const singleResult = estimateSingle(row);
  const problems = { ...singleResult.problems, ...(problem === undefined ? {} : { count: problem }) };
  if (quantity.kind !== 'amount' || quantity.amount === 0 || !singleResult.item)
    return { ...noEstimate(problems), problem: singleResult.problem };
  if (type === 'air') return estimateAir({ miles, travelers: count, roundtrip }, factorSet);
  const carbon = toNumber(multiply(decimal(singleResult.item.carbon), decimal(quantity.amount)));
  return { item: offsetItem(type, carbon, factorSet), problems, problem: undefined };

  function estimateSingle(form: GroupRow): Estimate<RowField> {
    if (type === 'home') return isHomeFilled(form) ? estimateHome(form, factorSet) : noEstimate({});
    if (miles.trim() === '') return noEstimate({});
    return type === 'car'
      ? estimateCar({ miles, mpg, roundtrip }, factorSet)
      : estimateAir({ miles, travelers: '1', roundtrip }, factorSet);
  }
}

/** Labels of a row's empty fields, such as "Travelers". */
export function listMissingFields({ type, count, miles, ...form }: GroupRow): string[] {
  const isHome = type === 'home';
  return [
    ...(isBlank(count) ? [isHome ? m.groupBills() : COUNT_LABELS[type]] : []),
    ...(isHome && !isHomeFilled(form) ? [m.groupEnergy()] : []),
    ...(!isHome && isBlank(miles) ? [m.groupMiles()] : []),
  ];
}

const isBlank = (text: string) => text.trim() === '' || text.trim() === '0';

export const COUNT_LABELS: Readonly<Record<OffsetType, string>> = {
  air: m.travelers(),
  car: m.groupCars(),
  home: m.groupBillsCount(),
};

export type GroupTotal = {
  /** One item for each kind of travel or energy, with the sum of its rows. */
  readonly items: readonly CartItem[];
  /** Pounds. */
  readonly carbon: number;
  readonly charge: Cents;
};

export function calculateGroupTotal(rows: readonly GroupRow[], factorSet?: VersionedFactors): GroupTotal {
  const items = OFFSET_TYPES.flatMap((type) => {
    const carbonValues = rows.flatMap((row) =>
      row.type === type ? (estimateRow(row, factorSet).item?.carbon ?? []) : [],
    );
    return carbonValues.length === 0 ? [] : [offsetItem(type, sum(carbonValues), factorSet)];
  });
  return { items, carbon: sum(items.map(({ carbon }) => carbon)), charge: cartTotal(items) };
}

/** The text of a group estimate, stored with each of its cart items. */
export type GroupInput = { readonly tab: 'group'; readonly text: string };

export function isGroupInput(input: unknown): input is GroupInput {
  const { tab, text } = (input ?? {}) as Partial<GroupInput>;
  return tab === 'group' && typeof text === 'string';
}

/** The cart's text for one of the estimate's items: "Ada and Tom’s wedding: Guests who fly". */
export function describeGroupItem({ name, rows }: GroupEstimate, type: OffsetType | undefined): string {
  const labels = rows.flatMap((row) => (row.type === type && estimateRow(row).item ? row.label.trim() || [] : []));
  return [name.trim() || m.headGroup(), labels.join(', ')].filter(Boolean).join(': ');
}

function sum(values: readonly number[]): number {
  return toNumber(values.map((value) => decimal(value)).reduce(add, decimal(0)));
}

/** Prefix of the hash that contains an estimate, so that the estimate is never sent to the server. */
export const GROUP_HASH = '#group=';

/** Serializes an estimate for a short link: texts in the order of `TEXT_FIELDS`, without empty ones at the end. */
export function serializeGroup({ name, rows }: GroupEstimate): string {
  const lines = rows.map((row) => {
    const texts = TEXT_FIELDS.map((field) => row[field]);
    return [row.type, row.roundtrip ? 1 : 0, ...texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)];
  });
  return encodeBase64Url(JSON.stringify([name, ...lines]));
}

const TEXT_FIELDS = ['label', 'count', 'miles', 'mpg', ...HOME_FIELDS.map(({ name }) => name)] as const;
/** Longer than any accepted number. */
const MAX_TEXT_LENGTH = 80;

/** Parses a link's estimate, which is untrusted. @returns undefined if it is invalid */
export function parseGroup(text: string): GroupEstimate | undefined {
  const values = parseJson(decodeBase64Url(text));
  if (!Array.isArray(values)) return undefined;
  const [name, ...lines]: readonly unknown[] = values;
  const rows = lines.map(parseRow);
  if (!isLabel(name) || rows.length > MAX_ROWS || !rows.every((row) => row !== undefined)) return undefined;
  return { name, rows };
}

function parseRow(line: unknown): GroupRow | undefined {
  if (!Array.isArray(line) || line.length > TEXT_FIELDS.length + 2) return undefined;
  const [kind, roundtripFlag, ...texts]: readonly unknown[] = line;
  const type = OFFSET_TYPES.find((candidate) => candidate === kind);
  if (!type || (roundtripFlag !== 0 && roundtripFlag !== 1) || !texts.every(isText) || !isLabel(texts[0] ?? ''))
    return undefined;
  const fields = Object.fromEntries(TEXT_FIELDS.map((field, index) => [field, texts[index] ?? '']));
  return { ...createRow(type), ...fields, type, roundtrip: roundtripFlag === 1 };
}

/** Rejects web addresses, so that a forged link can't show another site's address on this page. */
function isLabel(text: unknown): text is string {
  return isText(text) && optionalNameFailure(text) === undefined;
}

function isText(text: unknown): text is string {
  return typeof text === 'string' && text.length <= MAX_TEXT_LENGTH * 4;
}
