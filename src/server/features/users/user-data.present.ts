import { toDollars, toPounds } from '#domain/money.ts';
import { presentPhoto, type StoryPhoto } from '#server/entities/present-profile.ts';
import type { UserData } from './user-data.store.ts';

/** Presents everything stored about a user except password hashes and session keys. Money is in dollars, carbon in pounds. */
export function presentUserData({ account, ...lists }: UserData, exportedAt: Date): Record<string, unknown> {
  const presentedLists = Object.entries(lists).map(([name, rows]) => [name, rows.map(presentRow)]);
  return { madeTimestamp: exportedAt, account: account && presentRow(account), ...Object.fromEntries(presentedLists) };
}

/** Renames the columns to the API's names: "org_id" is "orgid", "paid_at" is "paidTimestamp", "total_cents" is "total". */
function presentRow(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => column !== 'photo_token')
      .map(([column, value]) => [toApiName(column), presentValue(column, value, row)]),
  );
}

function toApiName(column: string): string {
  return column
    .replace(/^(org|checkout|offsetter|pledge)_id$/, '$1id')
    .replace(/_cents$/, '')
    .replace(/_at$/, '_timestamp')
    .replace(/_url$/, 'URL')
    .replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function presentValue(column: string, value: unknown, row: object): unknown {
  if (value === null) return null;
  if (column.endsWith('_cents')) return toDollars(value as number);
  if (column === 'carbon') return toPounds(value as number);
  return column === 'photo' ? presentPhoto(row as StoryPhoto) : value;
}
