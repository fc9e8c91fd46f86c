import type { Gift } from '#contract/schemas/users.ts';
import type { AppDeps } from '#server/deps.ts';
import type { Person } from '#server/features/users/person.ts';
import { presentGift } from './gifts.present.ts';
import { giftsOf } from './gifts.store.ts';

/** What a person gave, in all organisations, newest first. */
export async function readGifts(
  { db, now }: Pick<AppDeps, 'db' | 'now'>,
  person: Person,
  offsetters: readonly { readonly orgid: string }[],
): Promise<Gift[]> {
  const told = new Set(offsetters.map(({ orgid }) => orgid));
  const rows = await giftsOf(db.kysely, person);
  return rows.map((row) => presentGift(row, { now: now(), hasOffsetter: told.has(row.org_id) }));
}
