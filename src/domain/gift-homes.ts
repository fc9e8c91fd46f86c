import { type InLanguage, LANGUAGE, m } from '#messages';
import { calculateDeliveredPounds, type GiftShare } from './allocation.ts';
import { type Day, dayText } from './days.ts';
import { type GrantField, listShownFields, type Measure } from './grant.ts';
import {
  type Cents,
  type Dollars,
  formatDollars,
  formatPounds,
  formatWhole,
  type Pounds,
  type TenThousandthsOfPound,
  toDollars,
  toPounds,
} from './money.ts';

/** A home that a gift helped, including private details. `Page` is the household's public page. */
export type HelpedHome<Page> = {
  readonly grantId: string;
  /** Undefined while the household’s story is hidden. Details must not be shown then. */
  readonly page: Page | undefined;
  /** Fields of the grant that the household agreed to publish. */
  readonly publicFields: readonly GrantField[];
  readonly grantCents: Cents;
  readonly measures: readonly Measure[];
  readonly installer: string;
  readonly yearlyCarbon: TenThousandthsOfPound;
  readonly lifetimeYears: number;
  readonly doneOn: Day | null;
  readonly inspectedOn: Day | null;
};

/** One donor's share of one home. */
export type AllocatedPart<Page> = {
  readonly cents: Cents;
  readonly pounds: TenThousandthsOfPound;
  readonly home: HelpedHome<Page>;
};

/** The allocation of one gift, or of several gifts of one donor. */
export type GiftAllocation<Page> = Pick<
  GiftShare,
  'unallocatedCents' | 'soldPounds' | 'unallocatedPounds' | 'shortfallPounds'
> & {
  readonly paid: Cents;
  readonly returned: Cents;
  /** Cents left after returns and the card processor’s fee. */
  readonly cents: Cents;
  /** True if the gift has an open dispute. */
  readonly isDisputed: boolean;
  /** True if the fund's other homes save the pounds in `shortfallPounds`. */
  readonly isShortfallCovered: boolean;
  readonly parts: readonly AllocatedPart<Page>[];
};

/** A home as its donor sees it. Null fields are private to the household. */
export type DonorHomeView<Page> = {
  readonly page: Page | null;
  /** This donor's money. */
  readonly amount: Dollars;
  /** Pounds counted for this donor. */
  readonly pounds: Pounds | null;
  /** The part of `pounds` that has been saved by now. */
  readonly deliveredPounds: Pounds | null;
  /** Empty if private. */
  readonly measures: Measure[];
  readonly installer: string | null;
  /** The whole grant. */
  readonly grant: Dollars | null;
  readonly savings: { readonly yearlyPounds: Pounds; readonly years: number } | null;
  readonly work: { readonly doneOn: Day | null; readonly inspectedOn: Day | null } | null;
};

/** A gift as its donor sees it. The homes’ amounts, `unallocatedDollars`, `fee`, and `returned` add up to `paid`. */
export type DonorAllocation<Page> = {
  readonly paid: Dollars;
  readonly returned: Dollars;
  readonly fee: Dollars;
  readonly unallocatedDollars: Dollars;
  readonly isDisputed: boolean;
  /** Pounds bought by the donor, minus returns. */
  readonly soldPounds: Pounds;
  /** Null if it would reveal a household's private field. */
  readonly unallocatedPounds: Pounds | null;
  readonly shortfallPounds: Pounds | null;
  /** Null if the gift's homes save all pounds that it bought; otherwise, true if the fund's other homes save the rest. */
  readonly isShortfallCovered: boolean | null;
  readonly homes: DonorHomeView<Page>[];
};

/** Combines several gifts of one donor. */
export function combineGifts<Page>(gifts: readonly GiftAllocation<Page>[]): GiftAllocation<Page> {
  const sum = (getAmount: (gift: GiftAllocation<Page>) => number) =>
    gifts.reduce((total, gift) => total + getAmount(gift), 0);
  const byGrant = Map.groupBy(
    gifts.flatMap(({ parts }) => parts),
    ({ home }) => home.grantId,
  );
  return {
    paid: sum(({ paid }) => paid),
    returned: sum(({ returned }) => returned),
    cents: sum(({ cents }) => cents),
    unallocatedCents: sum(({ unallocatedCents }) => unallocatedCents),
    soldPounds: sum(({ soldPounds }) => soldPounds),
    unallocatedPounds: sum(({ unallocatedPounds }) => unallocatedPounds),
    shortfallPounds: sum(({ shortfallPounds }) => shortfallPounds),
    isDisputed: gifts.some(({ isDisputed }) => isDisputed),
    isShortfallCovered: gifts.every(({ isShortfallCovered }) => isShortfallCovered),
    parts: [...byGrant.values()].flatMap((parts) => {
      const [firstPart] = parts;
      const sums = { cents: 0, pounds: 0 };
      for (const { cents, pounds } of parts) {
        sums.cents += cents;
        sums.pounds += pounds;
      }
      return firstPart ? [{ ...firstPart, ...sums }] : [];
    }),
  };
}

/**
 * Converts a gift to the donor's view: always their own money, plus the fields that each household agreed to publish.
 * Private fields must not be derivable from the view: pounds for a known share of the money would reveal the savings of
 * a home with a public grant, and pounds that accrue daily would reveal the dates.
 */
export function toDonorAllocation<Page>(gift: GiftAllocation<Page>, today: Day): DonorAllocation<Page> {
  const homes = gift.parts.map((part) => toDonorHomeView(part, today));
  const showsPounds = homes.every(({ pounds }) => pounds !== null);
  const { paid, cents, unallocatedCents, soldPounds, unallocatedPounds, shortfallPounds, isDisputed } = gift;
  const returned = Math.min(gift.returned, paid);
  return {
    paid: toDollars(paid),
    returned: toDollars(returned),
    fee: toDollars(paid - returned - cents),
    unallocatedDollars: toDollars(unallocatedCents),
    isDisputed,
    soldPounds: toPounds(soldPounds),
    isShortfallCovered: shortfallPounds > 0 ? gift.isShortfallCovered : null,
    homes,
    unallocatedPounds: showsPounds ? toPounds(unallocatedPounds) : null,
    shortfallPounds: showsPounds ? toPounds(shortfallPounds) : null,
  };
}

function isPublished<Page>({ page, publicFields }: HelpedHome<Page>, field: GrantField): boolean {
  return page !== undefined && listShownFields(publicFields).includes(field);
}

/** Lists the homes with public pages that a gift helped, without amounts. Everyone can see them. */
export function listPublicHomes<Page>({ parts }: GiftAllocation<Page>) {
  return parts.flatMap(({ home }) => {
    const { page, measures, doneOn } = home;
    if (page === undefined) return [];
    return [
      {
        page,
        ...(isPublished(home, 'measures') ? { measures: [...measures] } : {}),
        ...(isPublished(home, 'dates') && doneOn !== null ? { doneOn } : {}),
      },
    ];
  });
}

function toDonorHomeView<Page>({ cents, pounds, home }: AllocatedPart<Page>, today: Day): DonorHomeView<Page> {
  const { page, measures, installer, yearlyCarbon, lifetimeYears: years, doneOn, inspectedOn } = home;
  const isPublic = (field: GrantField) => isPublished(home, field);
  const showsPounds = isPublic('amount') === isPublic('savings');
  const showsDeliveredPounds = isPublic('amount') && isPublic('savings') && isPublic('dates');
  const deliveredPounds = doneOn === null ? 0 : calculateDeliveredPounds(pounds, { doneOn, years }, today);
  return {
    page: page ?? null,
    amount: toDollars(cents),
    pounds: showsPounds ? toPounds(pounds) : null,
    deliveredPounds: showsDeliveredPounds ? toPounds(deliveredPounds) : null,
    measures: isPublic('measures') ? [...measures] : [],
    installer: isPublic('installer') && installer !== '' ? installer : null,
    grant: isPublic('amount') ? toDollars(home.grantCents) : null,
    savings: isPublic('savings') ? { yearlyPounds: toPounds(yearlyCarbon), years } : null,
    work: isPublic('dates') ? { doneOn, inspectedOn } : null,
  };
}

type NamedPage = { readonly name: string };

/**
 * Describes where a gift went: "Of your $234.58, $150.00 helped insulate the attic of the Okafor family. $84.58 hasn’t been
 * granted to a home yet."
 * @param place the fund's city; empty if it has none
 */
export function giftSentences(gift: DonorAllocation<NamedPage>, place: string, options?: InLanguage): string[] {
  const homeClauses = gift.homes.map((home) => partSentence(home, place, options));
  return joinClauses(gift, homeClauses, 1, options);
}

/** Starts the first sentence with the amount paid, unless a single payment had a single use. */
function joinClauses(
  gift: DonorAllocation<NamedPage>,
  homeClauses: readonly string[],
  count: number,
  options?: InLanguage,
): string[] {
  const [clause, ...otherSentences] = [...homeClauses, ...remainderClauses(gift, options)];
  if (clause === undefined) return [];
  const total = { paid: formatDollars(gift.paid), clause };
  const singlePaymentSentence = otherSentences.length === 0 ? clause : m.giftHomesOf(total, options);
  const firstSentence = count > 1 ? m.giftHomesAll({ ...total, count }, options) : singlePaymentSentence;
  return [firstSentence, ...otherSentences, ...(gift.isDisputed ? [m.giftHomesDisputed({}, options)] : [])];
}

/** Clauses for the parts of a gift that no home received. */
function remainderClauses(
  { unallocatedDollars, fee, returned }: DonorAllocation<NamedPage>,
  options?: InLanguage,
): string[] {
  return [
    ...(unallocatedDollars > 0 ? [m.giftHomesWaits({ part: formatDollars(unallocatedDollars) }, options)] : []),
    ...(fee > 0 ? [m.giftHomesFee({ part: formatDollars(fee) }, options)] : []),
    ...(returned > 0 ? [m.giftHomesReturned({ part: formatDollars(returned) }, options)] : []),
  ];
}

/** Maximum number of homes that a sentence names; more homes are counted instead. */
const MAX_NAMED_HOMES = 2;

/**
 * Like `giftSentences`, but short enough to introduce a list of the homes.
 * @param payments number of payments that the gift combines
 */
export function shortGiftSentences(gift: DonorAllocation<NamedPage>, place: string, payments = 1): string[] {
  const { homes } = gift;
  const homeClauses =
    homes.length <= MAX_NAMED_HOMES
      ? homes.map((home) => partSentence(home, place))
      : [m.giftHomesWent({ amount: formatDollars(sumPaidToHomes(homes)), count: homes.length })];
  return joinClauses(gift, homeClauses, payments);
}

/** Sentences about the pounds that a gift bought: delivered, expected, unallocated, and missing. */
export function carbonSentences(gift: DonorAllocation<NamedPage>, options?: InLanguage): string[] {
  const { paid, returned, fee, soldPounds, unallocatedPounds, homes } = gift;
  if (paid - returned - fee <= 0) return [];
  if (soldPounds === 0) return [];
  if (unallocatedPounds === null)
    return [m.giftHomesPrivate({ count: homes.length }, options), ...shortfallSentences(gift, options)];
  return [
    ...backedSentences(homes, soldPounds, options),
    ...(unallocatedPounds > 0 ? [m.giftHomesPoundsWait({ pounds: formatPounds(unallocatedPounds) }, options)] : []),
    ...shortfallSentences(gift, options),
  ];
}

function shortfallSentences(
  { shortfallPounds, isShortfallCovered, homes: { length: count } }: DonorAllocation<NamedPage>,
  options?: InLanguage,
): string[] {
  if (isShortfallCovered === null) return [];
  if (shortfallPounds === null)
    return [isShortfallCovered ? m.giftHomesSomeCovered({ count }, options) : m.giftHomesSomeBehind({}, options)];
  const part = { pounds: formatPounds(shortfallPounds) };
  return [isShortfallCovered ? m.giftHomesCovered(part, options) : m.giftHomesBehind(part, options)];
}

function backedSentences(homes: readonly DonorHomeView<NamedPage>[], sold: number, options?: InLanguage): string[] {
  const backedTotal = sumTenThousandths(homes, ({ pounds }) => pounds);
  if (backedTotal === 0) return [];
  const total = formatPounds(sold);
  const savings = sumSavedPounds(homes);
  if (!savings) return [m.giftHomesBacked({ pounds: formatPounds(toPounds(backedTotal)), total }, options)];
  const [pounds, remaining] = [formatPounds(savings.savedPounds), formatPounds(savings.remainingPounds)];
  return [m.giftHomesDelivered({ pounds, total, remaining }, options)];
}

/**
 * Savings that count for a gift's donor. Undefined if they are zero, or if a household keeps any of the figures
 * private.
 */
export function sumSavedPounds(
  homes: readonly DonorHomeView<unknown>[],
): { readonly savedPounds: Pounds; readonly remainingPounds: Pounds } | undefined {
  if (homes.some(({ pounds, deliveredPounds }) => pounds === null || deliveredPounds === null)) return undefined;
  const backedTotal = sumTenThousandths(homes, ({ pounds }) => pounds);
  const deliveredTotal = sumTenThousandths(homes, ({ deliveredPounds }) => deliveredPounds);
  return backedTotal === 0
    ? undefined
    : { savedPounds: toPounds(deliveredTotal), remainingPounds: toPounds(backedTotal - deliveredTotal) };
}

function sumTenThousandths(
  homes: readonly DonorHomeView<unknown>[],
  getAmount: (home: DonorHomeView<unknown>) => Pounds | null,
): TenThousandthsOfPound {
  return homes.reduce((total, home) => total + Math.round((getAmount(home) ?? 0) * 10_000), 0);
}

/** The part of a gift that was granted to homes. */
export function sumPaidToHomes(homes: readonly DonorHomeView<unknown>[]): Dollars {
  return toDollars(homes.reduce((total, { amount }) => total + Math.round(amount * 100), 0));
}

/** Sentence about a home's part of a gift, with the details that the household publishes. */
function partSentence(
  { page, amount, measures, work }: DonorHomeView<NamedPage>,
  place: string,
  options?: InLanguage,
): string {
  const part = formatDollars(amount);
  if (page === null)
    return place === '' ? m.giftHomesUnnamed({ part }, options) : m.giftHomesUnnamedIn({ part, place }, options);
  const name = formatHouseholdName(page.name, options);
  const [firstMeasure] = measures;
  // The date is private or not set, so the sentence must not say that the work is done.
  if (!work?.doneOn)
    return firstMeasure === undefined
      ? m.giftHomesToward({ part, name }, options)
      : m.giftHomesTowardWork({ part, name, work: formatWork(measures, options) }, options);
  if (firstMeasure === undefined) return m.giftHomesDid({ part, name }, options);
  if (measures.length > 1) return m.giftHomesDidWork({ part, name, work: formatWork(measures, options) }, options);
  return WORK_SENTENCES[firstMeasure]({ part, name }, options);
}

type WorkSentence = (inputs: { readonly part: string; readonly name: string }, options?: InLanguage) => string;

const WORK_SENTENCES: Readonly<Record<Measure, WorkSentence>> = {
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
function formatWork(measures: readonly Measure[], options?: InLanguage): string {
  const language = options?.locale ?? LANGUAGE;
  return new Intl.ListFormat(`${language}-US`).format(measures.map((measure) => MEASURE_WORDS[measure](options)));
}

/** A household’s name inside an English sentence: "the Okafor family". */
function formatHouseholdName(name: string, options?: InLanguage): string {
  return (options?.locale ?? LANGUAGE) === 'en' ? name.replace(/^The (?=\S)/, 'the ') : name;
}

/** Details of a home other than the donor’s share, one per line. */
export function homeLines(
  { work, measures, installer, grant, savings }: DonorHomeView<NamedPage>,
  options?: InLanguage,
) {
  const doneOn = work?.doneOn ?? null;
  const inspectedOn = work?.inspectedOn ?? null;
  const years = savings?.years ?? 0;
  return [
    ...(measures.length > 0 ? [m.giftHomeWork({ work: formatWork(measures, options) }, options)] : []),
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
