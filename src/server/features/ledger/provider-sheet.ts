import type { Cents } from '#domain/money.ts';
import type { BalanceMovement } from '#server/gateways/payments/balance-facts.ts';
import { isHeld } from './other-movements.ts';
import type { BookedMovement } from './provider-books.store.ts';

export const SUMMED = ['charges', 'refunds', 'disputes', 'fees', 'payouts', 'others'] as const;
export type Summed = (typeof SUMMED)[number];

/** What the books and the provider say of one thing, in cents on the account at the provider; undefined: nothing. */
export type Row = {
  readonly kind: Summed;
  /** The provider's id of the charge, refund, dispute, movement or payout. */
  readonly id: string;
  readonly currency: string;
  /** The provider's word for a movement that the books have no entry for. */
  type: string | undefined;
  chargeId: string | undefined;
  books: Cents | undefined;
  provider: Cents | undefined;
  booked: BookedMovement | undefined;
  /** Whether the charge itself says that it is another installation's. */
  isForeign: boolean;
  onItsWay: boolean;
  /** When it first moved money, as either side says, and last. */
  since: Date;
  at: Date;
};

export function keyOf({ kind, id }: Pick<Row, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

const KIND_OF_MOVEMENT = {
  charge: 'charges',
  refund: 'refunds',
  'refund-failed': 'refunds',
  dispute: 'disputes',
  'dispute-won': 'disputes',
  payout: 'payouts',
} as const;

/**
 * A row for each charge, refund, dispute, fee, payout and other movement that the books or the provider know. What the
 * provider only holds back, and failed debits, have none.
 */
export function sheetOf(booked: readonly BookedMovement[], movements: readonly BalanceMovement[]): Row[] {
  const rows = new Map<string, Row>();
  const rowOf = (kind: Summed, id: string, currency: string, at: Date) => {
    const key = keyOf({ kind, id });
    const row = rows.get(key) ?? emptyRow(kind, id, currency, at);
    if (at < row.since) row.since = at;
    if (at > row.at) row.at = at;
    rows.set(key, row);
    return row;
  };
  const chargeOfIntent = new Map(
    movements.flatMap(({ intentId, chargeId }) => (intentId && chargeId ? [[intentId, chargeId]] : [])),
  );
  for (const entry of booked) {
    const { kind, id } = placeOf(entry, chargeOfIntent);
    const row = rowOf(kind, id, entry.currency, entry.occurred_at);
    row.books = (row.books ?? 0) + entry.cents;
    row.booked = entry;
    row.chargeId = entry.charge_id ?? (kind === 'charges' ? id : undefined);
  }
  for (const { kind, type, id, subjectId, chargeId, amount, fee, currency, origin, onItsWay, at } of movements) {
    const about = { chargeId, isForeign: origin === 'foreign' };
    if (kind === 'debit' || isHeld(type)) continue;
    if (kind === 'fee') Object.assign(rowOf('fees', id, currency, at), about, { provider: amount - fee });
    if (kind === 'other') Object.assign(rowOf('others', id, currency, at), about, { provider: amount - fee, type });
    if (kind === 'fee' || kind === 'other' || subjectId === undefined) continue;
    const row = Object.assign(rowOf(KIND_OF_MOVEMENT[kind], subjectId, currency, at), about);
    row.provider = (row.provider ?? 0) + amount;
    row.onItsWay ||= onItsWay;
    if (fee !== 0) Object.assign(rowOf('fees', id, currency, at), about, { provider: -fee });
  }
  return [...rows.values()];
}

function emptyRow(kind: Summed, id: string, currency: string, at: Date): Row {
  const nothing = { type: undefined, books: undefined, provider: undefined, booked: undefined };
  return { kind, id, currency, chargeId: undefined, ...nothing, isForeign: false, onItsWay: false, since: at, at };
}

/** A gift posted before its charge was known has only the intent or the invoice. */
function placeOf(
  { kind, fact, charge_id, intent_id, invoice_id }: BookedMovement,
  chargeOfIntent: ReadonlyMap<string, string>,
): { readonly kind: Summed; readonly id: string } {
  const [, id = fact] = fact.split(':');
  switch (kind) {
    case 'fee':
      return { kind: 'fees', id };
    case 'refund':
    case 'reversal':
      return { kind: 'refunds', id };
    case 'dispute':
      return { kind: 'disputes', id };
    case 'payout':
      return { kind: 'payouts', id };
    case 'payment':
    case 'renewal':
    case 'check':
    case 'adjustment':
    case 'commitment':
    case 'grant':
      return { kind: 'charges', id: charge_id ?? chargeOfIntent.get(intent_id ?? '') ?? intent_id ?? invoice_id ?? id };
  }
}
