import type { Kysely } from 'kysely';
import { languageNamed } from '#contract/languages.ts';
import { cartInterval, recurringItems } from '#domain/cart.ts';
import { dayOf } from '#domain/days.ts';
import { mailedName } from '#domain/names.ts';
import {
  composeReceipt,
  type GivenBy,
  type ReceiptDocument,
  type ReceiptHistory,
  type TestPayment,
} from '#domain/receipt.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import type { ReceiptSource } from './receipt-sources.store.ts';
import { keepDocument, notesOf } from './receipts.store.ts';

export type DocumentDeps = Pick<AppDeps, 'parent' | 'sandbox' | 'now'>;

/**
 * What was printed on a receipt. One of an earlier version, which kept no document, gets it now, from today's data.
 */
export async function documentOf(
  db: Kysely<Tables>,
  deps: DocumentDeps,
  source: ReceiptSource,
): Promise<ReceiptDocument> {
  const key = { orgId: source.org_id, number: source.number };
  return source.document ?? keepDocument(db, key, madeAgain(deps, source));
}

/** What happened to the gift of a receipt since. A refund on its way may still fail, and is not in it. */
export async function historyOf(db: Kysely<Tables>, source: ReceiptSource): Promise<ReceiptHistory> {
  const { org_id: orgId, number, amount_cents: amount, refunded_cents, pending_cents, is_reversed } = source;
  const returned = (refunded_cents ?? 0) - pending_cents;
  return { notes: await notesOf(db, { orgId, number }), kept: is_reversed ? 0 : amount - returned };
}

function madeAgain({ parent, sandbox, now }: DocumentDeps, source: ReceiptSource): ReceiptDocument {
  const zone = source.time_zone;
  return composeReceipt({
    language: languageNamed(source.language),
    number: source.printed_number,
    donee: parent,
    program: source.org_name,
    donor: mailedName(source.name) || null,
    givenOn: dayOf(source.given_at, zone),
    issuedOn: dayOf(source.issued_at, zone),
    amount: source.amount_cents,
    currency: source.currency,
    given: givenBy(source),
    nextChargeOn: source.next_charge_at === null ? undefined : dayOf(source.next_charge_at, zone),
    test: testPayment(sandbox, source.livemode ?? undefined),
    copiedOn: dayOf(now(), zone),
  });
}

function givenBy({ kind, cart, check_number }: ReceiptSource): GivenBy {
  if (cart === null) return { kind: 'check', checkNumber: check_number };
  return { kind: 'card', items: kind === 'renewal' && cartInterval(cart) ? recurringItems(cart) : cart };
}

/** @param livemode the provider's word; unknown for a check */
export function testPayment(sandbox: boolean, livemode: boolean | undefined): TestPayment | undefined {
  if (sandbox) return 'sandbox';
  return livemode === false ? 'test' : undefined;
}
