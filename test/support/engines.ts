/**
 * The tests of test/server that run on both database engines: those whose outcome depends on SQL details, locks,
 * the ledger, paging or concurrency. Every other test runs on PostgreSQL alone.
 */
export const BOTH_ENGINES = [
  'backups/backup-commands',
  'backups/restore-backup',
  'db',
  'jobs',
  'ledger',
  'live',
  'main',
  'operation/alarms',
  'operation/figures',
  'payouts/record-payout',
  'pledges/received-checks',
  'treasury/export-ledger',
  'cells/save-cell',
  'checkouts/any-order',
  'checkouts/complete-checkout',
  'checkouts/create-checkout',
  'checkouts/delete-checkout',
  'checkouts/reconcile-payments',
  'checkouts/refund-payment',
  'checkouts/record-payment',
  'checkouts/search-checkouts',
  'receipts/issue-receipt',
  'stories/story-lists',
  'users/delete-user',
] as const;

/** The tests of the embedded engine itself: its lock, its files, a killed process. */
export const EMBEDDED_ONLY = ['embedded'] as const;

/** The tests of test/server that need no database. */
export const NO_DATABASE = ['cities', 'config', 'failure-text', 'http', 'payments', 'sandbox', 'texts'] as const;

/** Needs its own process: safe photo decoding disables SVG for the whole process. */
export const PICTURES = ['pictures'] as const;

/** Hundreds of simulated worlds, which take longer than all calls of one area. */
export const SIMULATION = ['simulation'] as const;

/** Globs for folders or files of test/server. */
export function serverTests(places: readonly string[]): string[] {
  return places.map((place) => `test/server/${place}{/**/*,}.test.ts`);
}
