import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calculateCardFee, DEFAULT_CARD_FEE } from '#domain/card-fee.ts';
import { type CartItem, cartTotal, completeItem } from '#domain/cart.ts';
import { MAX_STORY_LENGTH } from '#domain/profile.ts';
import { RECURRING_GIFT_GROUPS } from '#domain/recurring-gift.ts';
import { cartFailure } from '#domain/validate-cart.ts';
import {
  createSampleGrants,
  createSampleProfiles,
  type SampleProfile,
  samplePeople,
} from '#scripts/sample/sample-data.ts';
import { createSampleGifts, createSampleRecurringGifts, type SampleGift } from '#scripts/sample/sample-gifts.ts';
import { sampleOrg } from '#scripts/sample/sample-org.ts';

const PICTURES = 'scripts/sample/pictures';
const NOW = new Date('2026-01-15T12:00:00Z');
const DAY = 86_400_000;
const anyDate = fc.date({ min: new Date('2025-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });

const allProfiles = (now: Date): SampleProfile[] => [
  ...createSampleProfiles('offsetters', now),
  ...createSampleProfiles('awardees', now),
  ...createSampleProfiles('installers', now),
];

test('there are at least twelve offsetters, eight awardees, and seven installers', () => {
  expect(createSampleProfiles('offsetters', NOW).length).toBeGreaterThanOrEqual(12);
  expect(createSampleProfiles('awardees', NOW).length).toBeGreaterThanOrEqual(8);
  expect(createSampleProfiles('installers', NOW).length).toBeGreaterThanOrEqual(7);
});

test('keys, names, and stories are unique', () => {
  const profiles = allProfiles(NOW);
  for (const field of ['key', 'name', 'story'] as const) {
    expect(new Set(profiles.map((profile) => profile[field])).size, field).toBe(profiles.length);
  }
});

test.each(allProfiles(NOW))('$name has a story of reasonable length', ({ name, story }) => {
  expect(name.length).toBeGreaterThanOrEqual(3);
  expect(story.length).toBeGreaterThanOrEqual(150);
  expect(story.length).toBeLessThanOrEqual(Math.min(700, MAX_STORY_LENGTH));
  // Stories use typographic quotes.
  expect(story).not.toMatch(/['"]/);
});

test('profiles are listed newest first and span the last two years', () => {
  for (const list of [
    createSampleProfiles('offsetters', NOW),
    createSampleProfiles('awardees', NOW),
    createSampleProfiles('installers', NOW),
  ]) {
    const ages = list.map(({ createdTimestamp }) => (NOW.getTime() - Date.parse(createdTimestamp)) / DAY);
    expect(ages).toEqual(ages.toSorted((a, b) => a - b));
    expect(ages[0]).toBeGreaterThan(0);
    expect(ages.at(-1)).toBeGreaterThan(365);
    expect(ages.at(-1)).toBeLessThan(730);
  }
});

test('the sample organization has its fixed id and slug', () => {
  expect(sampleOrg).toMatchObject({ id: 'sample', slug: 'sample-city', name: 'City Climate Fund' });
});

test('there are about 200 gifts, generated deterministically', () => {
  const gifts = createSampleGifts(NOW);
  expect(gifts.length).toBeGreaterThanOrEqual(190);
  expect(gifts.length).toBeLessThanOrEqual(220);
  expect(createSampleGifts(new Date(NOW))).toEqual(gifts);
  expect(new Set(gifts.map(({ key }) => key)).size).toBe(gifts.length);
});

test('sample gifts are always in order within the last two years', () => {
  fc.assert(
    fc.property(anyDate, (now) => {
      const times = createSampleGifts(now).map(({ givenAt }) => givenAt.getTime());
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      expect(times[0]).toBeGreaterThanOrEqual(now.getTime() - 730 * DAY);
      expect(times.at(-1)).toBeLessThan(now.getTime());
    }),
    { numRuns: 20 },
  );
});

test('every item has the exact price of its carbon, to four decimals', () => {
  for (const item of createSampleGifts(NOW).flatMap(({ items }) => items)) {
    expect(item).toEqual(completeItem(item));
    if (item.type === 'offset') expect(item.cost).toBe(computeExactPrice(item));
    else expect(Number.isInteger(item.cost)).toBe(true);
  }
});

/** max(carbon × 0.0125, 0.01) to 4 decimals, half away from zero, computed without the program's arithmetic. */
function computeExactPrice({ carbon }: CartItem): number {
  const tenThousandths = BigInt(carbon.toFixed(4).replace('.', ''));
  const rounded = (tenThousandths * 125n + 5000n) / 10_000n;
  return Number(rounded < 100n ? 100n : rounded) / 10_000;
}

test('every gift is a valid cart of at least $5 with one recurring interval', () => {
  for (const { items } of createSampleGifts(NOW)) {
    expect(cartFailure(items)).toBeUndefined();
    expect(cartTotal(items)).toBeGreaterThanOrEqual(500);
  }
});

test('there are large gifts, checks, renewals, and offsets of flights, drives, and homes', () => {
  const gifts = createSampleGifts(NOW);
  expect(Math.max(...gifts.map(({ items }) => cartTotal(items)))).toBeGreaterThan(100_000);
  expect(new Set(gifts.map(({ kind }) => kind))).toEqual(new Set(['payment', 'renewal', 'check']));
  const types = new Set(gifts.flatMap(({ items }) => items.map(({ offsetType }) => offsetType)));
  expect(types).toEqual(new Set(['air', 'car', 'home', undefined]));
});

test('a check contains a single one-time donation', () => {
  for (const { items } of createSampleGifts(NOW).filter(({ kind }) => kind === 'check')) {
    expect(items).toMatchObject([{ type: 'donation', recurring: 'no' }]);
    expect(items).toHaveLength(1);
  }
});

test('a renewal is dated after its original payment and repeats only the recurring items', () => {
  const gifts = createSampleGifts(NOW);
  const giftsByKey = new Map(gifts.map((gift) => [gift.key, gift]));
  const renewals = gifts.filter(({ kind }) => kind === 'renewal');
  expect(renewals.length).toBeGreaterThan(40);
  for (const renewal of renewals) {
    const payment = giftsByKey.get(renewal.renewalOf ?? '');
    expect(payment?.kind).toBe('payment');
    expect(payment?.givenAt.getTime()).toBeLessThan(renewal.givenAt.getTime());
    expect(renewal.items).toEqual(payment?.items.filter(({ recurring }) => recurring !== 'no'));
  }
});

test('a payment with a recurring item never renews twice in a month', () => {
  const months = createSampleGifts(NOW)
    .filter(({ kind }) => kind === 'renewal')
    .map((gift) => `${gift.renewalOf} ${gift.givenAt.toISOString().slice(0, 7)}`);
  expect(new Set(months).size).toBe(months.length);
});

test('recurring gifts are active, paused, failing, lost, and ended, and only active ones will be charged', () => {
  fc.assert(
    fc.property(anyDate, (now) => {
      const recurringGifts = createSampleRecurringGifts(createSampleGifts(now), now);
      expect(new Set(recurringGifts.map(({ group }) => group))).toEqual(new Set(RECURRING_GIFT_GROUPS));
      for (const { group, dueAt } of recurringGifts) {
        if (group === 'active') expect(dueAt.getTime()).toBeGreaterThanOrEqual(now.getTime());
        else expect(dueAt.getTime()).toBeLessThanOrEqual(now.getTime());
      }
    }),
    { numRuns: 20 },
  );
});

test('every sample offsetter paid shortly before publishing the story', () => {
  const gifts = createSampleGifts(NOW);
  for (const { key, name, createdTimestamp } of createSampleProfiles('offsetters', NOW)) {
    const offsetterGifts = gifts.filter((gift: SampleGift) => gift.offsetterKey === key);
    const publishedAt = Date.parse(createdTimestamp);
    expect(
      offsetterGifts.some(({ givenAt }) => {
        const milliseconds = publishedAt - givenAt.getTime();
        return milliseconds > 0 && milliseconds < 3_600_000;
      }),
      name,
    ).toBe(true);
    expect(offsetterGifts.every(({ payerName }) => payerName === name)).toBe(true);
  }
});

test('no sample address receives email', () => {
  for (const { payerEmail } of createSampleGifts(NOW)) expect(payerEmail).toMatch(/^[a-z0-9.]+@example\.org$/);
});

test('every sample profile and person has its own picture, and there are no extra files', async () => {
  const files = await readdir(PICTURES);
  expect(files.toSorted()).toEqual([...allProfiles(NOW), ...samplePeople].map(({ key }) => `${key}.webp`).toSorted());
  const pictures = await Promise.all(files.map((file) => readFile(path.join(PICTURES, file), 'base64')));
  expect(new Set(pictures).size).toBe(files.length);
});

test('sample grants are always in order, belong to sample households, and are paid with money that had already arrived', () => {
  const households = new Set(createSampleProfiles('awardees', NOW).map(({ key }) => key));
  const installers = new Set(['', ...createSampleProfiles('installers', NOW).map(({ name }) => name)]);
  fc.assert(
    fc.property(anyDate, (now) => {
      const gifts = createSampleGifts(now);
      const grants = createSampleGrants(now);
      expect(new Set(grants.map(({ key }) => key)).size).toBe(grants.length);
      let paidCents = 0;
      for (const { facts, stepAges } of grants) {
        expect(households).toContain(facts.awardeeid);
        expect(installers).toContain(facts.installer);
        const { applied, promised = 0, done = 0, inspected = 0 } = stepAges;
        expect([applied, promised, done, inspected].toSorted((a, b) => b - a)).toEqual([
          applied,
          promised,
          done,
          inspected,
        ]);
        if (stepAges.paid === undefined) continue;
        expect(stepAges.paid).toBeLessThan(promised);
        paidCents += Math.round(facts.amount * 100);
        expect(paidCents).toBeLessThanOrEqual(sumCentsAtBank(gifts, now.getTime() - stepAges.paid * DAY));
      }
    }),
    { numRuns: 20 },
  );
});

/** Cents from checks and from gifts that were definitely paid out by that time. */
function sumCentsAtBank(gifts: readonly SampleGift[], timestamp: number): number {
  return gifts.reduce((sum, { givenAt, items, kind, refund }) => {
    const cents = cartTotal(items);
    const net = kind === 'check' ? cents : cents - calculateCardFee(cents, DEFAULT_CARD_FEE);
    const hasArrived = givenAt.getTime() + (kind === 'check' ? 0 : 17 * DAY) <= timestamp;
    return sum + (hasArrived && !refund ? net : 0);
  }, 0);
}
