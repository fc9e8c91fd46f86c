import { type CartItem, offsetItem, withRecurrence } from '#domain/cart.ts';
import {
  type AirTravel,
  airCarbon,
  type CarTravel,
  carCarbon,
  type HomeEnergy,
  homeCarbon,
  type QuickEstimate,
  quickCarbon,
} from '#domain/emissions.ts';

/** One gift of the sample ledger: what one fact of the payment provider, or one check, would bring. */
export type SampleGift = {
  /** Unique, and the same on every run. */
  readonly key: string;
  readonly at: Date;
  readonly kind: 'payment' | 'renewal' | 'check';
  readonly items: readonly CartItem[];
  readonly payerName: string;
  readonly payerEmail: string;
  /** The key of the sample offsetter whose gift it is. */
  readonly offsetterKey?: string;
  /** The key of the payment that a renewal renews. */
  readonly renewalOf?: string;
};

export type Giver = Pick<SampleGift, 'payerName' | 'payerEmail' | 'offsetterKey'>;

/** A giver whose address is made of the name, on a domain that reaches nobody. */
export function giver(payerName: string, offsetterKey?: string): Giver {
  const letters = payerName.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const payerEmail = `${letters.match(/[a-z0-9]+/g)?.join('.')}@example.org`;
  return { payerName, payerEmail, ...(offsetterKey ? { offsetterKey } : {}) };
}

export const flight = (travel: AirTravel): CartItem => offsetItem('air', airCarbon(travel));
export const drive = (travel: CarTravel): CartItem => offsetItem('car', carCarbon(travel));
export const heating = (energy: Partial<HomeEnergy>): CartItem => offsetItem('home', homeCarbon(energy));
export const quick = (estimate: QuickEstimate): CartItem => offsetItem(estimate.type, quickCarbon(estimate));
export const everyMonths = (months: number, item: CartItem): CartItem => withRecurrence(item, 'month', months);
export const yearly = (item: CartItem): CartItem => withRecurrence(item, 'year', 1);

const DAY = 24 * 60 * 60 * 1000;

export function daysBefore(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() - days * DAY));
}

/**
 * The renewals of a recurring payment that fall before `until`, at the same hour of the month's same day;
 * the one-time items of that payment are not given again.
 */
export function renewalsOf(payment: SampleGift, until: Date): SampleGift[] {
  const items = payment.items.filter(({ recurring }) => recurring !== 'no');
  const [first] = items;
  if (!first) return [];
  const months = (first.recurring === 'year' ? 12 : 1) * (first.recurringInterval ?? 1);
  const renewals: SampleGift[] = [];
  for (let count = 1; ; count += 1) {
    const at = monthsAfter(payment.at, months * count);
    if (at >= until) return renewals;
    renewals.push({
      ...payment,
      key: `${payment.key}-renewal-${count}`,
      at,
      kind: 'renewal',
      items,
      renewalOf: payment.key,
    });
  }
}

/** The same day `months` later, or the last day of a month that is shorter (UTC). */
function monthsAfter(date: Date, months: number): Date {
  const later = new Date(date);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return later;
}
