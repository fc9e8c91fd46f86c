import type { Day } from './days.ts';

type ExportDays = { readonly from?: Day | undefined; readonly to?: Day | undefined };

/** "ledger_2026-01-01_2026-12-31.csv", "ledger_from_2026-01-01.csv", "ledger_until_2026-12-31.csv", "ledger_all.csv" */
export function formatExportName(kind: 'checkouts' | 'ledger', { from, to }: ExportDays): string {
  if (from === undefined) return `${kind}_${to === undefined ? 'all' : `until_${to}`}.csv`;
  return `${kind}_${to === undefined ? `from_${from}` : `${from}_${to}`}.csv`;
}
