import {
  type CartItem,
  cartInterval,
  donationItem,
  type GiftInterval,
  offsetItem,
  recurringItems,
  withRecurrence,
} from '#domain/cart.ts';
import { airCarbon, carCarbon, homeCarbon, quickCarbon } from '#domain/emissions.ts';
import type { RecurringGiftGroup } from '#domain/recurring-gift.ts';
import { createSampleProfiles, type GiftItem, readGifts, subtractDays } from './sample-data.ts';

/** One payment, renewal, or check of the sample ledger. */
export type SampleGift = {
  /** Unique and deterministic. */
  readonly key: string;
  readonly givenAt: Date;
  readonly kind: 'payment' | 'renewal' | 'check';
  readonly items: readonly CartItem[];
  readonly payerName: string;
  readonly payerEmail: string;
  /** Key of the sample offsetter who gave the gift. */
  readonly offsetterKey?: string;
  /** Key of the payment that this renewal belongs to. */
  readonly renewalOf?: string;
  readonly checkNumber?: string;
  /** Full refund, with its reason. */
  readonly refund?: { readonly refundedAt: Date; readonly reason: string };
};

/** Minutes from the payment to the published story. */
const MINUTES_TO_WRITE = 17;

/** About 200 gifts in the two years before `now`, oldest first. Every cart is valid by the domain's rules. */
export function createSampleGifts(now: Date): SampleGift[] {
  const { offsetters, recurring, checks, visitors } = readGifts();
  const profiles = createSampleProfiles('offsetters', now);
  const gifts = [
    ...offsetters.flatMap(({ offsetter, gifts: donorGifts }) => {
      const profile = profiles.find(({ key }) => key === offsetter);
      if (!profile) throw new Error(`The sample offsetter ${offsetter} has no story`);
      const paidAt = new Date(Date.parse(profile.createdTimestamp) - MINUTES_TO_WRITE * 60_000);
      return donorGifts.flatMap(({ daysAfterFirst, items }, index) => {
        const givenAt = subtractDays(paidAt, -daysAfterFirst);
        const gift = createPayment(`${offsetter}-${index + 1}`, profile.name, givenAt, items);
        return addRenewals({ ...gift, offsetterKey: offsetter }, now);
      });
    }),
    ...recurring.flatMap(({ key, name, firstDaysAgo, stoppedDaysAgo, items }) =>
      addRenewals(
        createPayment(`${key}-1`, name, subtractDays(now, firstDaysAgo), items),
        subtractDays(now, stoppedDaysAgo),
      ),
    ),
    ...checks.map(({ name, daysAgo, dollars, number }, index): SampleGift => {
      const gift = createPayment(`check-${index + 1}`, name, subtractDays(now, daysAgo), [
        { kind: 'donation', dollars },
      ]);
      return { ...gift, kind: 'check', checkNumber: number };
    }),
    ...visitors.map(({ name, daysAgo, items, refund }, index): SampleGift => {
      const gift = createPayment(`visitor-${index + 1}`, name, subtractDays(now, daysAgo), items);
      return refund
        ? { ...gift, refund: { refundedAt: subtractDays(now, refund.daysAgo), reason: refund.reason } }
        : gift;
    }),
  ];
  const earliest = subtractDays(now, 730);
  return gifts
    .filter(({ givenAt }) => givenAt >= earliest && givenAt < now)
    .toSorted((a, b) => a.givenAt.getTime() - b.givenAt.getTime() || a.key.localeCompare(b.key, 'en'));
}

function createPayment(key: string, name: string, givenAt: Date, items: readonly GiftItem[]): SampleGift {
  return { key, givenAt, kind: 'payment', items: items.map(toCartItem), payerName: name, payerEmail: makeEmail(name) };
}

/** An address on a reserved domain. */
function makeEmail(name: string): string {
  const letters = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return `${letters.match(/[a-z0-9]+/g)?.join('.')}@example.org`;
}

function toCartItem(item: GiftItem): CartItem {
  const baseItem = toOneTimeItem(item);
  return item.every ? withRecurrence(baseItem, item.every.unit, item.every.count) : baseItem;
}

function toOneTimeItem(item: GiftItem): CartItem {
  switch (item.kind) {
    case 'donation':
      return donationItem(item.dollars);
    case 'flight':
      return offsetItem('air', airCarbon(item));
    case 'drive':
      return offsetItem('car', carCarbon(item));
    case 'heating':
      return offsetItem('home', homeCarbon(item));
    case 'quick':
      return offsetItem(item.type, quickCarbon(item));
  }
}

/** A payment and its renewals before `until`. Renewals are on the same day of the month and have no one-time items. */
function addRenewals(gift: SampleGift, until: Date): SampleGift[] {
  const items = recurringItems(gift.items);
  const interval = cartInterval(items);
  if (!interval) return [gift];
  const gifts = [gift];
  for (let count = 1; ; count += 1) {
    const givenAt = addIntervals(gift.givenAt, interval, count);
    if (givenAt >= until) return gifts;
    gifts.push({ ...gift, key: `${gift.key}-renewal-${count}`, givenAt, kind: 'renewal', items, renewalOf: gift.key });
  }
}

function addIntervals(date: Date, { unit, count }: GiftInterval, times: number): Date {
  return addMonths(date, (unit === 'year' ? 12 : 1) * count * times);
}

export type SampleRecurringGift = {
  /** The first payment. */
  readonly payment: SampleGift;
  readonly group: RecurringGiftGroup;
  readonly items: readonly CartItem[];
  readonly interval: GiftInterval;
  /** When the next charge is due, or was due before it was paused, failed, or ended. */
  readonly dueAt: Date;
  readonly stoppedAt: Date;
};

/** The recurring gifts whose payments and renewals are among these gifts. */
export function createSampleRecurringGifts(gifts: readonly SampleGift[], now: Date): SampleRecurringGift[] {
  const { recurring } = readGifts();
  return gifts
    .filter(({ kind }) => kind === 'payment')
    .flatMap((payment) => {
      const items = recurringItems(payment.items);
      const interval = cartInterval(items);
      if (!interval) return [];
      const renewals = gifts.filter(({ renewalOf }) => renewalOf === payment.key).length;
      const dueAt = addIntervals(payment.givenAt, interval, renewals + 1);
      const { group = 'active', stoppedDaysAgo = 0 } = recurring.find(({ key }) => `${key}-1` === payment.key) ?? {};
      return [{ payment, group, items, interval, dueAt, stoppedAt: subtractDays(now, stoppedDaysAgo) }];
    });
}

/** The same day some months later, or the last day of a shorter month (UTC). */
function addMonths(date: Date, months: number): Date {
  const laterDate = new Date(date);
  laterDate.setUTCDate(1);
  laterDate.setUTCMonth(laterDate.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(laterDate.getUTCFullYear(), laterDate.getUTCMonth() + 1, 0)).getUTCDate();
  laterDate.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return laterDate;
}
