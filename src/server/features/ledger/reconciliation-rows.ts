import { parseFirstId } from '#domain/facts.ts';
import type { Cents } from '#domain/money.ts';
import type { BalanceMovement } from '#server/gateways/payments/balance-facts.ts';
import { isReserve } from './other-movements.ts';
import type { BookEntry } from './provider-books.store.ts';

export const ROW_KINDS = ['charges', 'refunds', 'disputes', 'fees', 'payouts', 'others'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** One item's effect on the provider account, in cents; `undefined` on the side that has no record of it. */
export type Row = {
  readonly kind: RowKind;
  /** The provider's id of the charge, refund, dispute, movement, or payout. */
  readonly id: string;
  readonly currency: string;
  /** The provider's type for a movement that isn't in the books. */
  type: string | undefined;
  chargeId: string | undefined;
  bookCents: Cents | undefined;
  providerCents: Cents | undefined;
  bookEntry: BookEntry | undefined;
  /** True if the charge's own metadata names another installation. */
  isFromOtherInstallation: boolean;
  /** True for a payout that hasn't arrived at the bank. */
  isInTransit: boolean;
  /** When it first and last moved money, on either side. */
  firstMovedAt: Date;
  lastMovedAt: Date;
};

export function rowKey({ kind, id }: Pick<Row, 'kind' | 'id'>): string {
  return `${kind}:${id}`;
}

const ROW_KIND_BY_MOVEMENT = {
  charge: 'charges',
  refund: 'refunds',
  'refund-failed': 'refunds',
  dispute: 'disputes',
  'dispute-won': 'disputes',
  payout: 'payouts',
} as const;

/**
 * Creates a row for each charge, refund, dispute, fee, payout, and other movement in the books or at the provider, but
 * not for reserves or pending bank debits.
 */
export function buildReconciliationRows(
  bookEntries: readonly BookEntry[],
  movements: readonly BalanceMovement[],
): Row[] {
  const rows = new Map<string, Row>();
  const findOrAddRow = (kind: RowKind, id: string, currency: string, movedAt: Date) => {
    const key = rowKey({ kind, id });
    const row = rows.get(key) ?? createEmptyRow(kind, id, currency, movedAt);
    if (movedAt < row.firstMovedAt) row.firstMovedAt = movedAt;
    if (movedAt > row.lastMovedAt) row.lastMovedAt = movedAt;
    rows.set(key, row);
    return row;
  };
  const chargeIdByIntentId = new Map(
    movements.flatMap(({ intentId, chargeId }) => (intentId && chargeId ? [[intentId, chargeId]] : [])),
  );
  for (const entry of bookEntries) {
    const { kind, id } = findEntryRowKey(entry, chargeIdByIntentId);
    const row = findOrAddRow(kind, id, entry.currency, entry.occurred_at);
    row.bookCents = (row.bookCents ?? 0) + entry.cents;
    row.bookEntry = entry;
    row.chargeId = entry.charge_id ?? (kind === 'charges' ? id : undefined);
  }
  for (const movement of movements) {
    const { kind, type, id, subjectId, chargeId, amount, fee, currency, origin, isInTransit, occurredAt } = movement;
    const chargeFields: Partial<Row> = { chargeId, isFromOtherInstallation: origin === 'foreign' };
    if (kind === 'debit' || isReserve(type)) continue;
    if (kind === 'fee')
      Object.assign(findOrAddRow('fees', id, currency, occurredAt), chargeFields, { providerCents: amount - fee });
    if (kind === 'other')
      Object.assign(findOrAddRow('others', id, currency, occurredAt), chargeFields, {
        providerCents: amount - fee,
        type,
      });
    if (kind === 'fee' || kind === 'other' || subjectId === undefined) continue;
    const row = Object.assign(findOrAddRow(ROW_KIND_BY_MOVEMENT[kind], subjectId, currency, occurredAt), chargeFields);
    row.providerCents = (row.providerCents ?? 0) + amount;
    row.isInTransit ||= isInTransit;
    if (fee !== 0) Object.assign(findOrAddRow('fees', id, currency, occurredAt), chargeFields, { providerCents: -fee });
  }
  return [...rows.values()];
}

function createEmptyRow(kind: RowKind, id: string, currency: string, movedAt: Date): Row {
  return {
    kind,
    id,
    currency,
    chargeId: undefined,
    type: undefined,
    bookCents: undefined,
    providerCents: undefined,
    bookEntry: undefined,
    isFromOtherInstallation: false,
    isInTransit: false,
    firstMovedAt: movedAt,
    lastMovedAt: movedAt,
  };
}

/** Finds the row of an entry. A gift posted before its charge id was known has only an intent or invoice id. */
function findEntryRowKey(
  { kind, fact, charge_id, intent_id, invoice_id }: BookEntry,
  chargeIdByIntentId: ReadonlyMap<string, string>,
): { readonly kind: RowKind; readonly id: string } {
  const id = parseFirstId(fact);
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
    case 'promise':
    case 'grant':
      return {
        kind: 'charges',
        id: charge_id ?? chargeIdByIntentId.get(intent_id ?? '') ?? intent_id ?? invoice_id ?? id,
      };
  }
}
