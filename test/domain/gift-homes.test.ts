// @spec 7.sign-in
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allocate } from '#domain/allocation.ts';
import {
  carbonSentences,
  combineGifts,
  type GiftAllocation,
  giftSentences,
  type HelpedHome,
  homeLines,
  toDonorAllocation,
} from '#domain/gift-homes.ts';
import { GRANT_FIELDS, type GrantField, MEASURES } from '#domain/grant.ts';
import { toChargedCents } from '#domain/money.ts';
import { giftHistories } from '#test/support/gift-histories.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const numRuns = pickRunCount(300, 10_000);
const TODAY = '2027-03-01';

type Page = { readonly name: string };
type Home = HelpedHome<Page>;
type Gift = GiftAllocation<Page>;

function home(changes: Partial<Home> = {}): Home {
  return {
    grantId: 'okafor',
    page: { name: 'The Okafor family' },
    publicFields: GRANT_FIELDS,
    grantCents: 150_000,
    measures: ['attic-insulation'],
    installer: 'Snug Homes',
    yearlyCarbon: 14_040_000,
    lifetimeYears: 20,
    doneOn: '2026-03-01',
    inspectedOn: null,
    ...changes,
  };
}

/** $234.58: $150.00 was granted to a home, and the rest is pending. */
function gift(changes: Partial<Gift> = {}): Gift {
  return {
    paid: 23_458,
    returned: 0,
    cents: 23_458,
    unallocatedCents: 8458,
    isDisputed: false,
    soldPounds: 200_000_000,
    unallocatedPounds: 72_000_000,
    shortfallPounds: 0,
    isShortfallCovered: false,
    parts: [{ cents: 15_000, pounds: 128_000_000, home: home() }],
    ...changes,
  };
}

const NOTHING_GRANTED = { unallocatedCents: 0, unallocatedPounds: 0, parts: [] };

function giftText(change: Partial<Gift> = {}, place = 'Ithaca') {
  return giftSentences(toDonorAllocation(gift(change), TODAY), place).join(' ');
}

/** All $150.00 went to one home. */
function homeText(change: Partial<Home>) {
  const parts = [{ cents: 15_000, pounds: 0, home: home(change) }];
  return giftText({ paid: 15_000, cents: 15_000, unallocatedCents: 0, parts });
}

test.each<[string, Partial<Gift>, string]>([
  [
    'a home and an ungranted balance',
    {},
    'Of your $234.58, $150.00 helped insulate the attic of the Okafor family. $84.58 hasn’t been granted to a home yet.',
  ],
  [
    'all in one home',
    { paid: 15_000, cents: 15_000, unallocatedCents: 0 },
    '$150.00 helped insulate the attic of the Okafor family.',
  ],
  [
    'several homes',
    {
      unallocatedCents: 0,
      parts: [
        { cents: 15_000, pounds: 0, home: home() },
        {
          cents: 8458,
          pounds: 0,
          home: home({ grantId: 'smith', page: { name: 'Ann Smith' }, measures: ['heat-pump'] }),
        },
      ],
    },
    'Of your $234.58, $150.00 helped insulate the attic of the Okafor family. $84.58 helped put a heat pump in the home of Ann Smith.',
  ],
  [
    'nothing granted yet',
    { ...NOTHING_GRANTED, unallocatedCents: 23_458 },
    '$234.58 hasn’t been granted to a home yet.',
  ],
  [
    'the processor’s fee',
    { paid: 24_168 },
    'Of your $241.68, $150.00 helped insulate the attic of the Okafor family. $84.58 hasn’t been granted to a home yet. $7.10 was the card processor’s fee.',
  ],
  [
    'a partial refund',
    { ...NOTHING_GRANTED, paid: 24_168, returned: 10_000, cents: 13_458, unallocatedCents: 13_458 },
    'Of your $241.68, $134.58 hasn’t been granted to a home yet. $7.10 was the card processor’s fee. $100.00 was returned to you.',
  ],
  [
    'full refund: the fund absorbs the fee',
    { ...NOTHING_GRANTED, paid: 24_168, returned: 24_168, cents: 0 },
    '$241.68 was returned to you.',
  ],
  [
    'a partial refund leaves less than the fee',
    { ...NOTHING_GRANTED, paid: 1000, returned: 980, cents: 0 },
    'Of your $10.00, $0.20 was the card processor’s fee. $9.80 was returned to you.',
  ],
  [
    'an open dispute',
    { ...NOTHING_GRANTED, unallocatedCents: 23_458, isDisputed: true },
    '$234.58 hasn’t been granted to a home yet. This gift is disputed. Nothing changes here until the dispute is decided.',
  ],
])('%s', (_, change, sentence) => {
  expect(giftText(change)).toBe(sentence);
});

test.each<[string, Partial<Home>, string]>([
  ['air sealing', { measures: ['air-sealing'] }, '$150.00 helped seal the home of the Okafor family against drafts.'],
  [
    'a water heater',
    { measures: ['heat-pump-water-heater'] },
    '$150.00 helped put a heat-pump water heater in the home of the Okafor family.',
  ],
  ['other work', { measures: ['other'] }, '$150.00 helped make the home of the Okafor family more efficient.'],
  [
    'several measures',
    { measures: ['attic-insulation', 'air-sealing'] },
    '$150.00 helped pay for attic insulation and air sealing in the home of the Okafor family.',
  ],
  [
    'measures are private',
    { publicFields: ['dates'] },
    '$150.00 helped make the home of the Okafor family more efficient.',
  ],
  ['the work is not done', { doneOn: null }, '$150.00 went toward attic insulation in the home of the Okafor family.'],
  [
    'private dates also hide that the work is done',
    { publicFields: ['measures'] },
    '$150.00 went toward attic insulation in the home of the Okafor family.',
  ],
  ['everything is private', { publicFields: [] }, '$150.00 went to the home of the Okafor family.'],
  ['the household is not shown', { page: undefined }, '$150.00 went to a home in Ithaca.'],
])('%s', (_, change, sentence) => {
  expect(homeText(change)).toBe(sentence);
});

test('homes of a fund without a city have no city', () => {
  const parts = [{ cents: 15_000, pounds: 0, home: home({ page: undefined }) }];
  expect(giftText({ paid: 15_000, cents: 15_000, unallocatedCents: 0, parts }, '')).toBe('$150.00 went to a home.');
});

test('names stay unchanged in Spanish', () => {
  const sentences = giftSentences(toDonorAllocation(gift(), TODAY), 'Ithaca', { locale: 'es' });
  expect(sentences).toEqual([
    'De sus $234.58, $150.00 ayudó a aislar el ático de The Okafor family.',
    '$84.58 aún no se han asignado a un hogar.',
  ]);
});

function formatPounds(change: Partial<Gift>) {
  return carbonSentences(toDonorAllocation(gift(change), TODAY));
}

const oneHomePart = (change: Partial<Home>) => [{ cents: 15_000, pounds: 128_000_000, home: home(change) }];

test.each<[string, Partial<Gift>, string[]]>([
  [
    'one year of 20 has passed',
    {},
    [
      'Of your 20,000.00 lbs of carbon, 639.56 lbs are saved so far and 12,160.44 lbs are still to come.',
      '7,200.00 lbs aren’t assigned to a home yet.',
    ],
  ],
  [
    'nothing is delivered before the work is done',
    { parts: oneHomePart({ doneOn: null }) },
    [
      'Of your 20,000.00 lbs of carbon, 0.00 lbs are saved so far and 12,800.00 lbs are still to come.',
      '7,200.00 lbs aren’t assigned to a home yet.',
    ],
  ],
  [
    'the dates are private',
    { parts: oneHomePart({ publicFields: ['amount', 'savings'] }), unallocatedPounds: 0, soldPounds: 128_000_000 },
    ['Over time, homes with paid grants will save 12,800.00 of your 12,800.00 lbs of carbon.'],
  ],
  [
    'some pounds are behind',
    { unallocatedPounds: 0, shortfallPounds: 72_000_000, parts: oneHomePart({ publicFields: [] }) },
    [
      'Over time, homes with paid grants will save 12,800.00 of your 20,000.00 lbs of carbon.',
      'The fund is 7,200.00 lbs behind on your gift: the homes funded so far save less than donors paid for. Homes that save more will make up for it.',
    ],
  ],
  [
    'other homes save more than was sold',
    {
      unallocatedPounds: 0,
      shortfallPounds: 72_000_000,
      isShortfallCovered: true,
      parts: oneHomePart({ publicFields: [] }),
    },
    [
      'Over time, homes with paid grants will save 12,800.00 of your 20,000.00 lbs of carbon.',
      'The fund’s other homes cover the remaining 7,200.00 lbs.',
    ],
  ],
  [
    'a household shows its grant but not its savings, and other homes save more',
    { parts: oneHomePart({ publicFields: ['amount', 'dates'] }), shortfallPounds: 1, isShortfallCovered: true },
    [
      'The home keeps some of its figures private, so we can’t show how many of your pounds it saves.',
      'The fund’s other homes cover the pounds that this home doesn’t save.',
    ],
  ],
  [
    'one of two households shows its grant but not its savings, and other homes save more',
    {
      parts: [...oneHomePart({}), ...oneHomePart({ grantId: 'g2', publicFields: ['amount', 'dates'] })],
      shortfallPounds: 1,
      isShortfallCovered: true,
    },
    [
      'One home keeps some of its figures private, so we can’t split your pounds by home.',
      'The fund’s other homes cover the pounds that these homes don’t save.',
    ],
  ],
  [
    'a household shows its grant but not its savings',
    { parts: oneHomePart({ publicFields: ['amount', 'dates'] }), shortfallPounds: 1 },
    [
      'The home keeps some of its figures private, so we can’t show how many of your pounds it saves.',
      'The fund is behind on some of your pounds: the homes funded so far save less than donors paid for. Homes that save more will make up for it.',
    ],
  ],
  [
    'no pounds assigned yet',
    { ...NOTHING_GRANTED, unallocatedCents: 23_458, unallocatedPounds: 200_000_000 },
    ['20,000.00 lbs aren’t assigned to a home yet.'],
  ],
  ['a donation', { soldPounds: 0, unallocatedPounds: 0, parts: [] }, []],
  ['a full refund', { ...NOTHING_GRANTED, returned: 23_458, cents: 0, soldPounds: 0 }, []],
])('pounds: %s', (_, change, sentences) => {
  expect(formatPounds(change)).toEqual(sentences);
});

test('a home shows only the fields its household agreed to', () => {
  const lines = (change: Partial<Home>) =>
    toDonorAllocation(gift({ parts: oneHomePart(change) }), TODAY).homes.flatMap((helpedHome) => homeLines(helpedHome));
  expect(lines({ inspectedOn: '2026-04-01' })).toEqual([
    'Work: attic insulation',
    'By Snug Homes',
    'Grant: $1,500.00',
    'Expected to save 1,404 lbs of carbon a year for 20 years',
    'Work done on March 1, 2026',
    'Inspected on April 1, 2026',
  ]);
  expect(lines({ publicFields: ['installer'], installer: '' })).toEqual([]);
  expect(lines({ page: undefined })).toEqual([]);
  expect(lines({ publicFields: ['dates'], doneOn: null })).toEqual([
    'The work isn’t done, so nothing has been saved yet.',
  ]);
});

test.each<[GrantField[], string[]]>([
  [[], []],
  [['amount'], ['Grant: $1,500.00']],
  [['savings'], []],
  [
    ['amount', 'savings'],
    ['Grant: $1,500.00', 'Expected to save 1,404 lbs of carbon a year for 20 years'],
  ],
  [
    ['measures', 'installer', 'savings', 'dates'],
    ['Work: attic insulation', 'By Snug Homes', 'Work done on March 1, 2026'],
  ],
])('a household that publishes %j doesn’t reveal its grant by its savings', (publicFields, lines) => {
  const view = toDonorAllocation(gift({ parts: oneHomePart({ publicFields }) }), TODAY);
  expect(view.homes.flatMap((helpedHome) => homeLines(helpedHome))).toEqual(lines);
  const isPrivate = publicFields.includes('amount') && !publicFields.includes('savings');
  expect(carbonSentences(view).some((sentence) => sentence.includes('private'))).toBe(isPrivate);
});

test('several payments to one home appear as one', () => {
  const combinedGift = combineGifts([
    gift(),
    gift({ ...NOTHING_GRANTED, unallocatedCents: 23_458, isDisputed: true }),
    gift(),
  ]);
  expect(combinedGift).toMatchObject({
    paid: 70_374,
    unallocatedCents: 40_374,
    isDisputed: true,
    soldPounds: 600_000_000,
  });
  expect(combinedGift.parts).toEqual([{ cents: 30_000, pounds: 256_000_000, home: home() }]);
});

const consents = fc.array(fc.record({ isShown: fc.boolean(), publicFields: fc.subarray([...GRANT_FIELDS]) }), {
  minLength: 41,
  maxLength: 41,
});

/** Checks every gift in random histories, in which each household publishes different fields. */
function checkEachGift(check: (gift: Gift, names: ReadonlyMap<string, boolean>) => void) {
  const property = fc.property(giftHistories, consents, fc.nat(5), (facts, consents, fee) => {
    const names = new Map<string, boolean>();
    const buildHome = (grantId: string): Home => {
      const { isShown, publicFields } = consents[Number(grantId)] ?? {
        isShown: false,
        publicFields: [] as GrantField[],
      };
      names.set(`Family number-${grantId}.`, isShown);
      const measures = [MEASURES[Number(grantId) % MEASURES.length] ?? 'other'];
      return home({
        grantId,
        page: isShown ? { name: `Family number-${grantId}.` } : undefined,
        publicFields,
        measures,
      });
    };
    for (const giftAllocation of allocate(facts).gifts) {
      const parts = giftAllocation.parts.map(({ grantId, ...part }) => ({ ...part, home: buildHome(grantId) }));
      const fact = facts.find((candidate) => candidate.kind === 'gift' && candidate.id === giftAllocation.giftId);
      const cents = fact && 'cents' in fact ? fact.cents : 0;
      const returned = cents - giftAllocation.cents;
      const gift = {
        ...giftAllocation,
        paid: cents + fee,
        returned,
        isDisputed: false,
        isShortfallCovered: true,
        parts,
      };
      check(gift, names);
    }
  });
  fc.assert(property, { numRuns });
}

test('the amounts shown to donors add up to their payments in every history', () => {
  checkEachGift((allocation) => {
    const { paid, returned, fee, unallocatedDollars, homes } = toDonorAllocation(allocation, TODAY);
    const cents = [returned, fee, unallocatedDollars, ...homes.map(({ amount }) => amount)].map((dollars) =>
      dollars === 0 ? 0 : toChargedCents(dollars),
    );
    expect(cents.every((amount) => amount >= 0)).toBe(true);
    expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(paid === 0 ? 0 : toChargedCents(paid));
  });
});

test('no sentence names a hidden household', () => {
  checkEachGift((allocation, names) => {
    const gift = toDonorAllocation(allocation, TODAY);
    const sentences = [
      ...giftSentences(gift, ''),
      ...carbonSentences(gift),
      ...gift.homes.flatMap((helpedHome) => homeLines(helpedHome)),
    ];
    for (const [name, isShown] of names) if (!isShown) expect(sentences.join(' ')).not.toContain(name);
  });
});

/** Another value for a field that a household may hide. */
const CHANGED_VALUES: Readonly<Record<GrantField, Partial<Home>>> = {
  amount: { grantCents: 999_900 },
  measures: { measures: ['heat-pump', 'other'] },
  installer: { installer: 'Another installer' },
  savings: { yearlyCarbon: 990_000, lifetimeYears: 7 },
  dates: { doneOn: null, inspectedOn: null },
};

test.each(GRANT_FIELDS)('a private field can’t be inferred from the others: %s', (field) => {
  checkEachGift((allocation) => {
    const donorView = (change: Partial<Home>) =>
      toDonorAllocation(
        {
          ...allocation,
          parts: allocation.parts.map(({ home: partHome, ...part }) => ({
            ...part,
            home: partHome.page && partHome.publicFields.includes(field) ? partHome : { ...partHome, ...change },
          })),
        },
        TODAY,
      );
    expect(donorView(CHANGED_VALUES[field])).toEqual(donorView({}));
  });
});

test('a home’s pounds don’t reveal a private grant or private savings', () => {
  const revealedFields = (publicFields: readonly GrantField[]) => {
    const [home] = toDonorAllocation(gift({ parts: oneHomePart({ publicFields }) }), TODAY).homes;
    return [home?.pounds !== null, home?.deliveredPounds !== null];
  };
  expect(revealedFields([])).toEqual([true, false]);
  expect(revealedFields(['amount'])).toEqual([false, false]);
  const hiddenAllocation = toDonorAllocation(
    gift({ shortfallPounds: 1, parts: oneHomePart({ publicFields: ['amount'] }) }),
    TODAY,
  );
  const { unallocatedPounds, shortfallPounds, isShortfallCovered } = hiddenAllocation;
  expect([unallocatedPounds, shortfallPounds, isShortfallCovered]).toEqual([null, null, false]);
  expect(revealedFields(['savings', 'dates'])).toEqual([true, false]);
  expect(revealedFields(['amount', 'savings'])).toEqual([true, false]);
  expect(revealedFields(['amount', 'savings', 'dates'])).toEqual([true, true]);
});
