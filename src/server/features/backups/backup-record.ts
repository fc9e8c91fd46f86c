import type { AppliedMigration } from '#server/db/migrate.ts';
import type { WaitingJob } from '#server/jobs/queues.ts';

/** How PostgreSQL writes a value, which it reads back exactly. */
export type ValueText = string | null;

/** Of a table's rows, whatever their order. */
export type TableSum = { readonly rows: number; readonly digest: string };

export type LedgerSum = {
  readonly currency: string;
  readonly livemode: boolean | null;
  readonly entries: number;
  readonly cents: string;
  readonly carbon: string;
};

export type Beginning = {
  /** ISO 8601. */
  readonly at: string;
  /** Those that the database had, in order. */
  readonly migrations: readonly AppliedMigration[];
};

/** The manifest. */
export type Ending = {
  readonly tables: Readonly<Record<string, TableSum>>;
  readonly ledger: readonly LedgerSum[];
  readonly files: number;
  readonly fileBytes: number;
};

/** A backup is a sequence of them: the beginning first, and the ending last. */
export type BackupRecord =
  | { readonly begin: Beginning }
  /** The rows that follow are of this table. */
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly rows: readonly (readonly ValueText[])[] }
  /** Their last values; null: not used yet. */
  | { readonly sequences: Readonly<Record<string, ValueText>> }
  | { readonly jobs: readonly WaitingJob[] }
  | { readonly file: string; readonly content: Buffer }
  | { readonly end: Ending };

/** As it is in a backup whose checksum is right. */
export function recordOf(isFile: boolean, payload: Buffer): BackupRecord {
  if (!isFile) return JSON.parse(payload.toString());
  const zero = payload.indexOf(0);
  return { file: payload.toString('utf8', 0, zero), content: payload.subarray(zero + 1) };
}
