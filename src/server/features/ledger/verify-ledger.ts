import type { OrgId } from '#domain/ids.ts';
import type { Database } from '#server/db/connection.ts';
import { withLongTimeout } from '#server/db/limits.ts';
import { LEDGER_CHECKS } from './ledger-checks.store.ts';

/** An error in the books. */
export type Difference = { readonly orgId: OrgId; readonly subject: string; readonly problem: string };

/** Recomputes every organization's totals from its entries, and compares checkouts, entries, and receipts. */
export function verifyLedger(db: Database): Promise<Difference[]> {
  return withLongTimeout(() => findDifferences(db));
}

async function findDifferences(db: Database): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const check of LEDGER_CHECKS) {
    const { rows } = await check.execute(db.kysely);
    differences.push(...rows.map(({ org_id, subject, problem }) => ({ orgId: org_id, subject, problem })));
  }
  return differences;
}
