import type { RestoreResult } from '#server/features/backups/restore-backup.ts';
import { formatDifferenceCount } from '../format-difference-count.ts';

/** Printable summary of a restored backup. */
export function formatRestoreSummary({ header, manifest, newMigrations, differences }: RestoreResult): string[] {
  const tables = Object.values(manifest.tables);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `As of ${header.at}: ${rows} rows in ${tables.length} tables, ${manifest.files} pictures, all restored unchanged.`,
    ...manifest.ledger.map(
      ({ currency, livemode, entries, cents }) =>
        `Ledger: ${entries} entries, ${(Number(cents) / 100).toFixed(2)} ${currency}${livemode === false ? ' (test mode)' : ''}.`,
    ),
    ...(newMigrations.length > 0 ? [`Migrated: ${newMigrations.join(', ')}.`] : []),
    ...differences.map(formatDifference),
    `verify-ledger: ${formatDifferenceCount(differences.length).toLowerCase()}.`,
  ];
}

export function formatDifference({ orgId, subject, problem }: RestoreResult['differences'][number]): string {
  return `${orgId}: ${subject} ${problem}`;
}
