import { DAY_MS } from '#domain/days.ts';
import type { Database, Log } from '#server/db/connection.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { commandLine } from '#server/program-file.ts';
import { claimMark, setMark } from './operation.store.ts';

/** UTC: the small hours from New York to Los Angeles. */
const AT_HOUR = 8;

/** When the books should last have been verified. */
export function lastNight(now: Date): Date {
  const today = new Date(now);
  today.setUTCHours(AT_HOUR, 0, 0, 0);
  return today <= now ? today : new Date(today.getTime() - DAY_MS);
}

/** Verifies the books if no process has done so since the last night. Call it once an hour or more often. */
export async function verifyBooksNightly(db: Database, now: Date, log: Log): Promise<void> {
  if (!(await claimMark(db.kysely, 'books-begun', now, lastNight(now)))) return;
  const differences = await verifyLedger(db);
  await setMark(db.kysely, 'books-verified', now, differences.length);
  if (differences.length === 0) return;
  log.error(
    { differences: differences.length },
    `the books do not add up: run "${commandLine('verify-ledger')}" to see where, see docs/operations.md, The ledger`,
  );
}
