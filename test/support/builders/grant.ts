import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { BodyInput } from '#contract/schemas.ts';
import { grantPaymentLines, type Lines, promiseLines } from '#domain/books.ts';
import { runAsAuthor } from '#server/db/author.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { addStory } from './story.ts';

/** An editor's input for a $1,500 grant that saves 1,404 pounds a year for 20 years. */
export function createGrantBody(awardeeId: string): BodyInput<'saveGrant'> {
  return {
    awardeeid: awardeeId,
    appliedOn: '2026-02-01',
    amount: 1500,
    measures: ['attic-insulation', 'air-sealing'],
    yearlyPounds: 1404,
    years: 20,
    method: 'deemed',
    methodSource: 'EPA: 15% of 800 therms',
  };
}

type GrantOverrides = {
  readonly awardeeId?: string;
  readonly stage?: 'applied' | 'promised' | 'paid';
  readonly cents?: number;
  /** When the grant was promised or paid. */
  readonly stageDate?: string;
};

/** Adds a grant and its home. @returns the grant's id */
export async function addGrant(
  db: Database,
  orgId: string,
  { awardeeId, stage = 'applied', cents = 150_000, stageDate = '2026-03-01' }: GrantOverrides = {},
): Promise<string> {
  const id = `grant-${randomUUID()}`;
  const awardee_id = awardeeId ?? (await addStory(db, 'awardees', orgId));
  const emptyGrant = {
    promised_on: null,
    promised_entry_id: null,
    paid_on: null,
    paid_entry_id: null,
    paid_cents: null,
  };
  const insertGrant = async (tx: Transaction<Tables>) => {
    await tx
      .insertInto('grants')
      .values({
        id,
        org_id: orgId,
        awardee_id,
        amount_cents: cents,
        other_funding_cents: 0,
        other_funding_source: '',
        claims_full_savings: false,
        full_savings_reason: '',
        measures: ['attic-insulation'],
        installer: '',
        published_fields: [],
        yearly_carbon: 14_040_000,
        years: 20,
        method: 'deemed',
        method_source: 'EPA',
        applied_on: '2026-02-01',
        ...emptyGrant,
        done_on: null,
        inspected_on: null,
      })
      .execute();
    if (stage === 'applied') return;
    const isPaid = stage === 'paid';
    const lines: Lines = isPaid ? grantPaymentLines(cents, 0) : promiseLines(cents);
    const entryId = await postEntry(tx, {
      orgId,
      grantId: id,
      kind: isPaid ? 'grant' : 'promise',
      fact: `test:${id}`,
      amount: 0,
      carbon: 0,
      currency: 'usd',
      occurredAt: new Date(`${stageDate}T12:00:00Z`),
      lines,
    });
    const change = isPaid
      ? { paid_on: stageDate, paid_entry_id: entryId ?? '', paid_cents: cents }
      : { promised_on: stageDate, promised_entry_id: entryId ?? '' };
    await tx.updateTable('grants').set(change).where('id', '=', id).execute();
  };
  await runAsAuthor({ userId: 'an-editor', ipAddress: '127.0.0.1' }, () => inTransaction(db, insertGrant));
  return id;
}
