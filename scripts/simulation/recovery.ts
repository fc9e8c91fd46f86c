import { sql } from 'kysely';
import { attentionSubject } from '#domain/attention-subjects.ts';
import { Failure } from '#domain/failures.ts';
import { findLostRecords } from '#server/features/recovery/find-lost-records.ts';
import { recover } from '#server/features/recovery/recover.ts';
import type { SimulatedApp } from './simulated-app.ts';

/**
 * Recovers lost data as an operator would (docs/recovery.md). Faults can interrupt it, and it's safe to repeat. The
 * operator knows the highest receipt number that donors have received.
 */
export async function recoverLostRecords(app: SimulatedApp): Promise<string> {
  const { deps, world } = app;
  const { faults, unexpectedProblems, printedReceipts } = world();
  const lostRecords = await findLostRecords(deps);
  if (lostRecords instanceof Failure) return lostRecords.code;
  const { problems } = await recover(deps, lostRecords, Math.max(0, ...printedReceipts.keys()));
  if (!faults.isCalm) return 'done';
  for (const { id } of lostRecords.unrecoveredItems) world().unrecoveredSubjects.add(attentionSubject('session', id));
  const unresolved = new Set<string>();
  for (const { id, problem } of problems) {
    if (problem.startsWith('needs attention')) unresolved.add(id);
    else unexpectedProblems.push(`${id} could not be recovered: ${problem}`);
  }
  unexpectedProblems.push(
    ...(await findStillLost(app, unresolved)).map((id) => `${id} was recovered but is still missing.`),
  );
  unexpectedProblems.push(...(await findReusedNumbers(app)));
  return `${lostRecords.pages.length} pages and ${lostRecords.charges.length} charges`;
}

/** @param unresolved ids that require manual review */
async function findStillLost({ deps }: SimulatedApp, unresolved: ReadonlySet<string>): Promise<string[]> {
  const lostRecords = await findLostRecords(deps);
  if (lostRecords instanceof Failure) return [lostRecords.code];
  const ids = [
    ...lostRecords.pages.map(({ session }) => session.sessionId),
    ...lostRecords.charges.map(({ chargeId }) => chargeId),
  ];
  return ids.filter((id) => !unresolved.has(id));
}

type PrintedReceipt = { readonly number: number; readonly fact: string };

/** Finds the gift of each receipt number. */
async function findPrintedReceipts({ realDb }: SimulatedApp): Promise<readonly PrintedReceipt[]> {
  const { rows } = await sql<PrintedReceipt>`
    select r.printed_number as number, e.fact from receipts r join ledger_entries e on e.id = r.ledger_entry_id`.execute(
    realDb.kysely,
  );
  return rows;
}

/** Records the receipts that donors have received, before data is lost. */
export async function savePrintedReceipts(app: SimulatedApp): Promise<void> {
  for (const { number, fact } of await findPrintedReceipts(app)) app.world().printedReceipts.set(number, fact);
}

async function findReusedNumbers(app: SimulatedApp): Promise<string[]> {
  const { printedReceipts } = app.world();
  const reusedReceipts = (await findPrintedReceipts(app)).filter(
    ({ number, fact }) => (printedReceipts.get(number) ?? fact) !== fact,
  );
  return reusedReceipts.map(
    ({ number, fact }) => `Receipt ${number} was issued for ${printedReceipts.get(number)} and again for ${fact}.`,
  );
}

/**
 * Deletes a checkout's row, as if by mistake. Skips checkouts that an editor or donor deleted, which can't be recovered.
 */
export async function deleteCheckoutRow({ realDb, world }: SimulatedApp): Promise<string> {
  const rows = await realDb.kysely
    .selectFrom('checkouts')
    .select('id')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  if (rows.length === 0) return '';
  const { id } = world().random.pick(rows);
  await realDb.kysely.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`delete from checkouts where id = ${id}`.execute(tx);
  });
  return id;
}
