import { type InLanguage, LANGUAGE, m } from '#messages';
import { deliveredBy, type GiftShare } from './allocation.ts';
import { type Day, dayText } from './days.ts';
import type { GrantField, Measure } from './grant.ts';
import {
  type Cents,
  dollarsOf,
  formatDollars,
  formatPounds,
  formatWhole,
  poundsOf,
  type TenThousandthsOfPound,
} from './money.ts';

/** A home that a gift helped, as the fund knows it. `Page` is what the public sees of its household. */
export type HelpedHome<Page> = {
  /** Of its grant. */
  readonly id: string;
  /** Undefined while its household’s story is not shown: then nothing of it is told. */
  readonly page: Page | undefined;
  /** What of the grant the household lets the public see. */
  readonly shown: readonly GrantField[];
  readonly cents: Cents;
  readonly measures: readonly Measure[];
  readonly installer: string;
  readonly yearly: TenThousandthsOfPound;
  readonly years: number;
  readonly doneOn: Day | null;
  readonly inspectedOn: Day | null;
};

/** Of gifts of one donor in one home. */
export type PlacedPart<Page> = {
  readonly cents: Cents;
  readonly pounds: TenThousandthsOfPound;
  readonly home: HelpedHome<Page>;
};

/** What became of one gift, or of several of one donor. */
export type PlacedGift<Page> = Pick<GiftShare, 'waiting' | 'promised' | 'promisedWaiting' | 'behind'> & {
  readonly paid: Cents;
  readonly returned: Cents;
  /** What is left after returns and the card processor’s fee. */
  readonly cents: Cents;
  /** Whether a dispute about it is open. */
  readonly isDisputed: boolean;
  readonly parts: readonly PlacedPart<Page>[];
};

/** What its donor is told of a home. Null is what the household keeps to itself. */
export type ToldHome<Page> = {
  readonly page: Page | null;
  /** Dollars of this donor. */
  readonly amount: number;
  /** Pounds that are counted to this donor, and those of them that are delivered. */
  readonly pounds: number | null;
  readonly delivered: number | null;
  /** Empty if they are kept private. */
  readonly measures: Measure[];
  readonly installer: string | null;
  /** Dollars of the whole grant. */
  readonly grant: number | null;
  readonly savings: { readonly yearlyPounds: number; readonly years: number } | null;
  readonly work: { readonly doneOn: Day | null; readonly inspectedOn: Day | null } | null;
};

/** What a donor is told of a gift. The homes’ amounts, `waiting`, `fee` and `returned` add up to `paid`. */
export type ToldGift<Page> = {
  /** Dollars. */
  readonly paid: number;
  readonly returned: number;
  readonly fee: number;
  readonly waiting: number;
  readonly isDisputed: boolean;
  /** Pounds that the donor bought, less those that went back. */
  readonly promised: number;
  /** Null where they would tell what a household keeps to itself. */
  readonly promisedWaiting: number | null;
  readonly behind: number | null;
  readonly isBehind: boolean;
  readonly homes: ToldHome<Page>[];
};

/** Several gifts of one donor as one. */
export function gathered<Page>(gifts: readonly PlacedGift<Page>[]): PlacedGift<Page> {
  const sum = (each: (gift: PlacedGift<Page>) => number) => gifts.reduce((total, gift) => total + each(gift), 0);
  const byHome = Map.groupBy(
    gifts.flatMap(({ parts }) => parts),
    ({ home }) => home.id,
  );
  return {
    ...{ paid: sum(({ paid }) => paid), returned: sum(({ returned }) => returned), cents: sum(({ cents }) => cents) },
    ...{ waiting: sum(({ waiting }) => waiting), promised: sum(({ promised }) => promised) },
    ...{ promisedWaiting: sum(({ promisedWaiting }) => promisedWaiting), behind: sum(({ behind }) => behind) },
    isDisputed: gifts.some(({ isDisputed }) => isDisputed),
    parts: [...byHome.values()].flatMap((parts) => {
      const [first] = parts;
      const both = { cents: 0, pounds: 0 };
      for (const { cents, pounds } of parts) {
        both.cents += cents;
        both.pounds += pounds;
      }
      return first ? [{ ...first, ...both }] : [];
    }),
  };
}

/**
 * What a donor may know of a gift: the own money always, and of each home what its household agreed to show. What is left
 * out cannot be worked out from the rest: pounds for a known share of the money would tell the savings of a home whose
 * grant is shown, or the grant of a home whose savings are, and pounds that arrive day by day would tell the days.
 */
export function toldGift<Page>(gift: PlacedGift<Page>, today: Day): ToldGift<Page> {
  // Those that the own money paid for come before those whose pounds other gifts paid for.
  const parts = gift.parts.toSorted((a, b) => Number(a.cents === 0) - Number(b.cents === 0));
  const homes = parts.map((part) => toldHome(part, today));
  const tellsPounds = homes.every(({ pounds }) => pounds !== null);
  const { paid, cents, waiting, promised, promisedWaiting, behind, isDisputed } = gift;
  const returned = Math.min(gift.returned, paid);
  return {
    ...{ paid: dollarsOf(paid), returned: dollarsOf(returned), fee: dollarsOf(paid - returned - cents) },
    ...{ waiting: dollarsOf(waiting), isDisputed, promised: poundsOf(promised), isBehind: behind > 0, homes },
    promisedWaiting: tellsPounds ? poundsOf(promisedWaiting) : null,
    behind: tellsPounds ? poundsOf(behind) : null,
  };
}

function isTold<Page>({ page, shown }: HelpedHome<Page>, field: GrantField): boolean {
  return page !== undefined && shown.includes(field);
}

/** The homes of a gift whose households are shown, as everyone may see that it helped them: without its money. */
export function namedHomes<Page>({ parts }: PlacedGift<Page>) {
  return parts.flatMap(({ cents, home }) => {
    const { page, measures, doneOn } = home;
    if (page === undefined || cents === 0) return [];
    return [
      {
        page,
        ...(isTold(home, 'measures') ? { measures: [...measures] } : {}),
        ...(isTold(home, 'dates') && doneOn !== null ? { doneOn } : {}),
      },
    ];
  });
}

function toldHome<Page>({ cents, pounds, home }: PlacedPart<Page>, today: Day): ToldHome<Page> {
  const { page, measures, installer, yearly, years, doneOn, inspectedOn } = home;
  const tells = (field: GrantField) => isTold(home, field);
  const tellsPounds = tells('amount') === tells('savings');
  const tellsDelivered = tells('amount') && tells('savings') && tells('dates');
  const delivered = doneOn === null ? 0 : deliveredBy(pounds, { doneOn, years }, today);
  return {
    page: page ?? null,
    amount: dollarsOf(cents),
    pounds: tellsPounds ? poundsOf(pounds) : null,
    delivered: tellsDelivered ? poundsOf(delivered) : null,
    measures: tells('measures') ? [...measures] : [],
    installer: tells('installer') && installer !== '' ? installer : null,
    grant: tells('amount') ? dollarsOf(home.cents) : null,
    savings: tells('savings') ? { yearlyPounds: poundsOf(yearly), years } : null,
    work: tells('dates') ? { doneOn, inspectedOn } : null,
  };
}

type Named = { readonly name: string };

/**
 * "Of your $234.58, $150.00 helped insulate the Okafor family’s attic. $84.58 hasn’t been granted to a home yet."
 * @param place the city of the fund; empty if it names none
 */
export function giftSentences(gift: ToldGift<Named>, place: string, options?: InLanguage): string[] {
  const { paid, returned, fee, waiting, homes, isDisputed } = gift;
  const clauses = [
    ...homes.filter(({ amount }) => amount > 0).map((home) => deed(home, place, options)),
    ...(waiting > 0 ? [m.giftHomesWaits({ part: formatDollars(waiting) }, options)] : []),
    ...(fee > 0 ? [m.giftHomesFee({ part: formatDollars(fee) }, options)] : []),
    ...(returned > 0 ? [m.giftHomesReturned({ part: formatDollars(returned) }, options)] : []),
  ];
  const [first, ...others] = clauses;
  if (first === undefined) return [];
  const begin = others.length === 0 ? first : m.giftHomesOf({ paid: formatDollars(paid), first }, options);
  return [begin, ...others, ...(isDisputed ? [m.giftHomesDisputed({}, options)] : [])];
}

/** What of the pounds that a gift bought is delivered, comes later, waits, or is behind. */
export function poundSentences(gift: ToldGift<Named>, options?: InLanguage): string[] {
  const { paid, returned, fee, promised, promisedWaiting, behind, isBehind, homes } = gift;
  if (paid - returned - fee <= 0) return [];
  if (promised === 0) return [m.giftHomesNoPounds({}, options)];
  if (promisedWaiting === null || behind === null)
    return [m.giftHomesPrivate({}, options), ...(isBehind ? [m.giftHomesSomeBehind({}, options)] : [])];
  const part = (pounds: number) => ({ pounds: formatPounds(pounds) });
  return [
    ...backedSentences(homes, promised, options),
    ...(promisedWaiting > 0 ? [m.giftHomesPoundsWait(part(promisedWaiting), options)] : []),
    ...(behind > 0 ? [m.giftHomesBehind(part(behind), options)] : []),
  ];
}

function backedSentences(homes: readonly ToldHome<Named>[], promised: number, options?: InLanguage): string[] {
  const sum = (each: (home: ToldHome<Named>) => number | null) =>
    homes.reduce((total, home) => total + Math.round((each(home) ?? 0) * 10_000), 0);
  const backed = sum(({ pounds }) => pounds);
  if (backed === 0) return [];
  const all = formatPounds(promised);
  if (homes.some(({ delivered }) => delivered === null))
    return [m.giftHomesBacked({ pounds: formatPounds(poundsOf(backed)), all }, options)];
  const delivered = sum((home) => home.delivered);
  const toCome = formatPounds(poundsOf(backed - delivered));
  return [m.giftHomesDelivered({ pounds: formatPounds(poundsOf(delivered)), all, toCome }, options)];
}

/** What a part of a gift did, as far as may be told. */
function deed({ page, amount, measures, work }: ToldHome<Named>, place: string, options?: InLanguage): string {
  const part = formatDollars(amount);
  if (page === null)
    return place === '' ? m.giftHomesUnnamed({ part }, options) : m.giftHomesUnnamedIn({ part, place }, options);
  const name = householdIn(page.name, options);
  const [only] = measures;
  // Without the day, nobody is told whether the work is done.
  if (!work?.doneOn)
    return only === undefined
      ? m.giftHomesToward({ part, name }, options)
      : m.giftHomesTowardWork({ part, name, work: workText(measures, options) }, options);
  if (only === undefined) return m.giftHomesDid({ part, name }, options);
  if (measures.length > 1) return m.giftHomesDidWork({ part, name, work: workText(measures, options) }, options);
  return DEEDS[only]({ part, name }, options);
}

type Deed = (inputs: { readonly part: string; readonly name: string }, options?: InLanguage) => string;

const DEEDS: Readonly<Record<Measure, Deed>> = {
  'attic-insulation': (inputs, options) => m.giftHomesAttic(inputs, options),
  'air-sealing': (inputs, options) => m.giftHomesAir(inputs, options),
  'heat-pump': (inputs, options) => m.giftHomesHeatPump(inputs, options),
  'heat-pump-water-heater': (inputs, options) => m.giftHomesWaterHeater(inputs, options),
  other: (inputs, options) => m.giftHomesDid(inputs, options),
};

const MEASURE_WORDS: Readonly<Record<Measure, (options?: InLanguage) => string>> = {
  'attic-insulation': (options) => m.workAttic({}, options),
  'air-sealing': (options) => m.workAir({}, options),
  'heat-pump': (options) => m.workHeatPump({}, options),
  'heat-pump-water-heater': (options) => m.workWaterHeater({}, options),
  other: (options) => m.workOther({}, options),
};

/** "attic insulation and air sealing" */
function workText(measures: readonly Measure[], options?: InLanguage): string {
  const language = options?.locale ?? LANGUAGE;
  return new Intl.ListFormat(`${language}-US`).format(measures.map((measure) => MEASURE_WORDS[measure](options)));
}

/** A household’s name within an English sentence: "the Okafor family". */
function householdIn(name: string, options?: InLanguage): string {
  return (options?.locale ?? LANGUAGE) === 'en' ? name.replace(/^The (?=\S)/, 'the ') : name;
}

/** What is told of a home beside the donor’s own part, a line each. */
export function homeLines({ work, measures, installer, grant, savings }: ToldHome<Named>, options?: InLanguage) {
  const doneOn = work?.doneOn ?? null;
  const inspectedOn = work?.inspectedOn ?? null;
  const years = savings?.years ?? 0;
  return [
    ...(measures.length > 0 ? [m.giftHomeWork({ work: workText(measures, options) }, options)] : []),
    ...(installer === null ? [] : [m.giftHomeInstaller({ installer }, options)]),
    ...(grant === null ? [] : [m.giftHomeGrant({ amount: formatDollars(grant) }, options)]),
    ...(savings
      ? [
          m.giftHomeSavings(
            { pounds: formatWhole(savings.yearlyPounds), years: formatWhole(years), count: years },
            options,
          ),
        ]
      : []),
    ...(work && doneOn === null ? [m.giftHomeNotDone({}, options)] : []),
    ...(doneOn === null ? [] : [m.giftHomeDone({ day: dayText(doneOn, options) }, options)]),
    ...(inspectedOn === null ? [] : [m.giftHomeInspected({ day: dayText(inspectedOn, options) }, options)]),
  ];
}
