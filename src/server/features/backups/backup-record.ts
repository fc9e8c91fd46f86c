import type { AppliedMigration } from '#server/db/migrate.ts';
import type { UnfinishedJob } from '#server/jobs/queues.ts';

/** A value in PostgreSQL's text format, which preserves it exactly. */
export type ValueText = string | null;

/** Checksum of a table's rows. The order of the rows doesn't matter. */
export type TableChecksum = { readonly rows: number; readonly digest: string };

export type LedgerTotal = {
  readonly currency: string;
  readonly livemode: boolean | null;
  readonly entries: number;
  readonly cents: string;
  readonly carbon: string;
};

export type BackupHeader = {
  /** ISO 8601. */
  readonly at: string;
  /** The database's migrations, in order. */
  readonly migrations: readonly AppliedMigration[];
};

export type BackupManifest = {
  readonly tables: Readonly<Record<string, TableChecksum>>;
  readonly ledger: readonly LedgerTotal[];
  readonly files: number;
  readonly fileBytes: number;
};

/** A backup is a sequence of records. It starts with the header and ends with the manifest. */
export type BackupRecord =
  | { readonly begin: BackupHeader }
  /** The next rows belong to this table. */
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly rows: readonly (readonly ValueText[])[] }
  /** Last value of each sequence; null if it has never been used. */
  | { readonly sequences: Readonly<Record<string, ValueText>> }
  | { readonly jobs: readonly UnfinishedJob[] }
  | { readonly file: string; readonly content: Buffer }
  | { readonly end: BackupManifest };

/** Parses a record of a backup whose checksum was verified. */
export function parseRecord(isFile: boolean, payload: Buffer): BackupRecord {
  if (!isFile) return JSON.parse(payload.toString());
  const separator = payload.indexOf(0);
  return { file: payload.toString('utf8', 0, separator), content: payload.subarray(separator + 1) };
}
