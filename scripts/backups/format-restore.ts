import type { RestoreResult } from '#server/features/backups/restore-backup.ts';

/** Printable summary of a restored backup. */
export function formatRestoreSummary({ begin, end, migrated, differences }: RestoreResult): string[] {
  const tables = Object.values(end.tables);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `As of ${begin.at}: ${rows} rows in ${tables.length} tables, ${end.files} pictures, all restored unchanged.`,
    ...end.ledger.map(
      ({ currency, livemode, entries, cents }) =>
        `Ledger: ${entries} entries, ${(Number(cents) / 100).toFixed(2)} ${currency}${livemode === false ? ' (test mode)' : ''}.`,
    ),
    ...(migrated.length > 0 ? [`Migrated: ${migrated.join(', ')}.`] : []),
    ...differences.map(formatDifference),
    `verify-ledger: ${formatDifferenceCount(differences.length)}.`,
  ];
}

function formatDifferenceCount(count: number): string {
  if (count === 0) return 'no differences';
  return count === 1 ? '1 difference' : `${count} differences`;
}

export function formatDifference({ orgId, subject, problem }: RestoreResult['differences'][number]): string {
  return `${orgId}: ${subject} ${problem}`;
}
