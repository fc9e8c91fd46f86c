import type { Kysely, Transaction } from 'kysely';
import type { TributeForDonor } from '#contract/schemas/checkouts.ts';
import { DAY_MS } from '#domain/days.ts';
import type { CheckoutId, OrgId } from '#domain/ids.ts';
import type { CardStatus, Tribute, TributeCard } from '#domain/tribute.ts';
import type { Tables } from '#server/db/tables.ts';
import type { AppDeps } from '#server/deps.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import { sendTributeCard } from './send-tribute-card.job.ts';
import {
  deleteUnpaidTributes,
  findTributeRow,
  insertTribute,
  listTributeRows,
  markCardPaid,
  TEST_PAYMENT_CODE,
  type TributeRow,
} from './tributes.store.ts';

/** Id of each card's automatic mailing. Mailings that an editor sends have random ids. */
const AUTOMATIC_MAILING = 'first';

export type NewTribute = Tribute & { readonly card?: TributeCard | undefined };

export async function saveTribute(
  tx: Transaction<Tables>,
  { orgId, checkoutId }: { readonly orgId: OrgId; readonly checkoutId: CheckoutId },
  { kind, name, card }: NewTribute,
  time: Date,
): Promise<void> {
  await insertTribute(tx, {
    checkout_id: checkoutId,
    org_id: orgId,
    kind,
    name,
    created_at: time,
    ...(card && {
      card_email: card.email,
      card_name: card.name,
      card_message: card.message,
      card_signature: card.signature,
      card_status: 'unpaid',
      card_status_at: time,
    }),
  });
}

/** A tribute with its card, for the donor and the editors. */
export type TributeWithCard = Tribute & {
  readonly card:
    | (TributeCard & { readonly status: CardStatus; readonly at: Date; readonly code: string | null })
    | null;
};

/** Finds a checkout's tribute; undefined if it has none or the donor's data was erased. */
export async function findTribute(db: Kysely<Tables>, checkoutId: CheckoutId): Promise<TributeWithCard | undefined> {
  const row = await findTributeRow(db, checkoutId);
  return row && toTributeWithCard(row);
}

/** Finds the tributes of checkouts, by checkout id. */
export async function findTributes(
  db: Kysely<Tables>,
  checkoutIds: readonly string[],
): Promise<ReadonlyMap<string, TributeWithCard>> {
  const rows = checkoutIds.length === 0 ? [] : await listTributeRows(db, checkoutIds);
  return new Map(rows.map((row) => [row.checkout_id, toTributeWithCard(row)]));
}

function toTributeWithCard(row: TributeRow): TributeWithCard {
  const { kind, name, card_email: email, card_status, card_status_at: at } = row;
  if (email === null || card_status === null || at === null) return { kind, name, card: null };
  const [status, code] =
    row.card_error_code === TEST_PAYMENT_CODE ? (['test', null] as const) : [card_status, row.card_error_code];
  const { card_name, card_message, card_signature } = row;
  return {
    kind,
    name,
    card: {
      email,
      name: card_name ?? '',
      message: card_message ?? '',
      signature: card_signature ?? '',
      status,
      at,
      code,
    },
  };
}

/** Presents a tribute to its donor. */
export function presentTribute({ kind, name, card }: TributeWithCard): TributeForDonor {
  return { kind, name, card: card && { email: card.email, status: card.status } };
}

/**
 * Queues a checkout's tribute card once. Call it in the transaction that posts the first payment. A recovered payment's card
 * may already have been sent, so it isn't queued; an editor can send it.
 */
export async function queueTributeCard(
  tx: Transaction<Tables>,
  { jobs, now }: Pick<AppDeps, 'jobs' | 'now'>,
  { checkoutId, isRecovery }: { readonly checkoutId: CheckoutId; readonly isRecovery: boolean },
): Promise<void> {
  const isPaid = await markCardPaid(tx, { checkoutId, status: isRecovery ? 'unknown' : 'sending', changedAt: now() });
  if (isPaid && !isRecovery) await jobs.enqueue(tx, sendTributeCard, { checkoutId, mailingId: AUTOMATIC_MAILING });
}

/** Longer than a payment takes: a payment page is open for a day, and a bank debit takes up to two weeks. */
const UNPAID_DAYS = 30;

/** Deletes the tributes of checkouts that were never paid. */
export async function sweepTributes({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteUnpaidTributes(db.kysely, new Date(now().getTime() - UNPAID_DAYS * DAY_MS));
}

export const sweepTributesJob = defineRecurringJob({
  name: 'sweep-tributes',
  initialDelayMs: 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  isLong: true,
  run: sweepTributes,
});
