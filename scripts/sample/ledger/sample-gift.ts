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

/** One payment, renewal, or check of the sample ledger. */
export type SampleGift = {
  /** Unique and deterministic. */
  readonly key: string;
  readonly at: Date;
  readonly kind: 'payment' | 'renewal' | 'check';
  readonly items: readonly CartItem[];
  readonly payerName: string;
  readonly payerEmail: string;
  /** Key of the sample offsetter who gave it. */
  readonly offsetterKey?: string;
  /** Key of the payment that this renewal belongs to. */
  readonly renewalOf?: string;
  /** Full refund, with its reason. */
  readonly refund?: { readonly at: Date; readonly reason: string };
};

export type Giver = Pick<SampleGift, 'payerName' | 'payerEmail' | 'offsetterKey'>;

/** A donor with an address on a reserved domain. */
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

/** The renewals of a recurring payment before `until`, on the same day of the month, without its one-time items. */
export function renewalsOf(payment: SampleGift, until: Date): SampleGift[] {
  const items = payment.items.filter(({ recurring }) => recurring !== 'no');
  const [first] = items;
  if (!first) return [];
  const months = (first.recurring === 'year' ? 12 : 1) * (first.recurringInterval ?? 1);
  const renewals: SampleGift[] = [];
  for (let count = 1; ; count += 1) {
    const time = monthsAfter(payment.at, months * count);
    if (time >= until) return renewals;
    renewals.push({
      ...payment,
      key: `${payment.key}-renewal-${count}`,
      at: time,
      kind: 'renewal',
      items,
      renewalOf: payment.key,
    });
  }
}

/** The same day some months later, or the last day of a shorter month (UTC). */
function monthsAfter(date: Date, months: number): Date {
  const later = new Date(date);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return later;
}
