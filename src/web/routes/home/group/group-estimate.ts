import { type CartItem, cartTotal, offsetItem } from '#domain/cart.ts';
import { add, decimal, multiply, toNumber } from '#domain/decimal.ts';
import { DEFAULT_MPG, OFFSET_TYPES, type OffsetType, type UsedFactors } from '#domain/emissions.ts';
import type { Cents } from '#domain/money.ts';
import { optionalNameFailure } from '#domain/names.ts';
import { NAME_MAXIMUM } from '#domain/profile.ts';
import { m } from '#messages';
import { airEstimate, type Estimate, noEstimate, typedAmount } from '../calculator/estimates.ts';
import { carEstimate, HOME_FIELDS, type HomeForm, homeEstimate, isHomeFilled } from '../calculator/more-estimates.ts';

/** One line of an estimate for a group, as typed: so many people who fly, cars that drive, or bills of a building. */
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
export const MOST_ROWS = 20;
/** Maximum length of the name and of each label. */
export const LABEL_MAXIMUM = NAME_MAXIMUM;
const MOST_COUNTED = 10_000;

export function newRow(type: OffsetType, label = ''): GroupRow {
  const energy = { propane: '', electricity: '', gas: '', oil: '' };
  return { type, label, count: '', miles: '', mpg: String(DEFAULT_MPG), roundtrip: type !== 'home', ...energy };
}

const exampleRow = (type: OffsetType, label: string, numbers: Partial<GroupRow>) => ({
  ...newRow(type, label),
  ...numbers,
});

/** Starting points with round example numbers, which the visitor changes. */
export const STARTS: readonly GroupEstimate[] = [
  {
    name: m.groupHousehold(),
    rows: [
      exampleRow('air', m.groupVacation(), { count: '2', miles: '1,000' }),
      exampleRow('car', m.groupDriving(), { count: '1', miles: '10,000', roundtrip: false }),
      exampleRow('home', m.groupMonthBills(), { count: '12', electricity: '600', gas: '40' }),
    ],
  },
  {
    name: m.groupWedding(),
    rows: [
      exampleRow('air', m.groupGuestsFly(), { count: '30', miles: '1,000' }),
      exampleRow('car', m.groupGuestsDrive(), { count: '40', miles: '50' }),
    ],
  },
  {
    name: m.groupConference(),
    rows: [
      exampleRow('air', m.groupAttendeesFly(), { count: '100', miles: '1,000' }),
      exampleRow('car', m.groupAttendeesDrive(), { count: '50', miles: '50' }),
      exampleRow('home', m.groupVenue(), { count: '1', electricity: '5,000' }),
    ],
  },
  {
    name: m.groupClassroom(),
    rows: [
      exampleRow('car', m.groupSchoolTrips(), { count: '10', miles: '20' }),
      exampleRow('home', m.groupSchoolBills(), { count: '1', electricity: '20,000' }),
    ],
  },
  {
    name: m.groupBusiness(),
    rows: [
      exampleRow('air', m.groupBusinessTrips(), { count: '10', miles: '1,000' }),
      exampleRow('car', m.groupDeliveries(), { count: '1', miles: '10,000', roundtrip: false }),
      exampleRow('home', m.groupMonthBills(), { count: '12', electricity: '1,000', gas: '50' }),
    ],
  },
];

/** @returns whether the estimate contains only an example's numbers */
export function isExample({ rows }: GroupEstimate): boolean {
  const texts = STARTS.map((start) => groupText({ name: '', rows: start.rows }));
  return texts.includes(groupText({ name: '', rows }));
}

export type RowField = 'count' | 'miles' | 'mpg' | keyof HomeForm;

/** Result of a row; undefined without a count, or without miles or bills. */
export function rowEstimate(row: GroupRow, used?: UsedFactors): Estimate<RowField> {
  const { type, miles, mpg, count, roundtrip } = row;
  const unit = COUNTED[type].toLowerCase();
  const counted = typedAmount(count, { maximum: MOST_COUNTED, unit, whole: true });
  const problem = counted.kind === 'problem' ? counted.problem : undefined;
  const one = estimateOfOne(row);
  const problems = { ...one.problems, ...(problem === undefined ? {} : { count: problem }) };
  if (counted.kind !== 'amount' || counted.amount === 0 || !one.item)
    return { ...noEstimate(problems), problem: one.problem };
  if (type === 'air') return airEstimate({ miles, travelers: count, roundtrip }, used);
  const carbon = toNumber(multiply(decimal(one.item.carbon), decimal(counted.amount)));
  return { item: offsetItem(type, carbon, used), problems, problem: undefined };

  function estimateOfOne(form: GroupRow): Estimate<RowField> {
    if (type === 'home') return isHomeFilled(form) ? homeEstimate(form, used) : noEstimate({});
    if (miles.trim() === '') return noEstimate({});
    return type === 'car'
      ? carEstimate({ miles, mpg, roundtrip }, used)
      : airEstimate({ miles, travelers: '1', roundtrip }, used);
  }
}

/** Labels of a row's empty fields, such as "Travelers". */
export function missingIn({ type, count, miles, ...form }: GroupRow): string[] {
  const isHome = type === 'home';
  return [
    ...(isBlank(count) ? [isHome ? m.groupBills() : COUNTED[type]] : []),
    ...(isHome && !isHomeFilled(form) ? [m.groupEnergy()] : []),
    ...(!isHome && isBlank(miles) ? [m.groupMiles()] : []),
  ];
}

const isBlank = (text: string) => text.trim() === '' || text.trim() === '0';

export const COUNTED: Readonly<Record<OffsetType, string>> = {
  air: m.travelers(),
  car: m.groupCars(),
  home: m.groupBillsCount(),
};

export type GroupTotal = {
  /** One for each kind of travel or energy, with what all of its rows come to. */
  readonly items: readonly CartItem[];
  /** Pounds. */
  readonly carbon: number;
  readonly charge: Cents;
};

export function groupTotal(rows: readonly GroupRow[], used?: UsedFactors): GroupTotal {
  const items = OFFSET_TYPES.flatMap((type) => {
    const carbons = rows.flatMap((row) => (row.type === type ? (rowEstimate(row, used).item?.carbon ?? []) : []));
    return carbons.length === 0 ? [] : [offsetItem(type, sum(carbons), used)];
  });
  return { items, carbon: sum(items.map(({ carbon }) => carbon)), charge: cartTotal(items) };
}

/** The text of a group estimate, stored with each of its cart items. */
export type GroupEntered = { readonly tab: 'group'; readonly text: string };

export function isGroupEntered(entered: unknown): entered is GroupEntered {
  const { tab, text } = (entered ?? {}) as Partial<GroupEntered>;
  return tab === 'group' && typeof text === 'string';
}

/** "Ada and Tom’s wedding: Guests who fly": the item of one kind, as its row in the cart names it. */
export function groupItemText({ name, rows }: GroupEstimate, type: OffsetType | undefined): string {
  const labels = rows.flatMap((row) => (row.type === type && rowEstimate(row).item ? row.label.trim() || [] : []));
  return [name.trim() || m.headGroup(), labels.join(', ')].filter(Boolean).join(': ');
}

function sum(values: readonly number[]): number {
  return toNumber(values.map((value) => decimal(value)).reduce(add, decimal(0)));
}

/** The hash that holds an estimate, so that the server never learns of it. */
export const GROUP_HASH = '#group=';

/** Short, for a link: texts in the order below, with nothing at the end that is empty. */
export function groupText({ name, rows }: GroupEstimate): string {
  const lines = rows.map((row) => {
    const texts = TEXTS.map((text) => row[text]);
    return [row.type, row.roundtrip ? 1 : 0, ...texts.slice(0, texts.findLastIndex((text) => text !== '') + 1)];
  });
  const bytes = new TextEncoder().encode(JSON.stringify([name, ...lines]));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

const TEXTS = ['label', 'count', 'miles', 'mpg', ...HOME_FIELDS.map(({ name }) => name)] as const;
/** Longer than any number that is taken. */
const TEXT_MAXIMUM = 80;

/** @returns undefined for a text that is no estimate; anyone can make up a link */
export function groupOfText(text: string): GroupEstimate | undefined {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) =>
      character.charCodeAt(0),
    );
    const [name, ...lines]: unknown[] = JSON.parse(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    ) as unknown[];
    const rows = lines.map(rowOf);
    if (!isLabel(name) || rows.length > MOST_ROWS || !rows.every((row) => row !== undefined)) return undefined;
    return { name, rows };
  } catch {
    return undefined;
  }
}

function rowOf(line: unknown): GroupRow | undefined {
  if (!Array.isArray(line) || line.length > TEXTS.length + 2) return undefined;
  const [kind, round, ...texts]: readonly unknown[] = line;
  const type = OFFSET_TYPES.find((known) => known === kind);
  if (!type || (round !== 0 && round !== 1) || !texts.every(isText) || !isLabel(texts[0] ?? '')) return undefined;
  const typed = Object.fromEntries(TEXTS.map((text, at) => [text, texts[at] ?? '']));
  return { ...newRow(type), ...typed, type, roundtrip: round === 1 };
}

/** Who makes up a link cannot make this page say another site's address. */
function isLabel(text: unknown): text is string {
  return isText(text) && optionalNameFailure(text) === undefined;
}

function isText(text: unknown): text is string {
  return typeof text === 'string' && text.length <= TEXT_MAXIMUM * 4;
}
