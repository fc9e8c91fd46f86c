import { sql, type Transaction } from 'kysely';
import { withLongTimeout } from '#server/db/limits.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import type { ProfileWithPhoto } from './sample-data.ts';
import type { SampleGift } from './sample-gifts.ts';
import { SAMPLE_ADMIN, SAMPLE_EDITOR, sampleOrg } from './sample-org.ts';

type Tx = Transaction<Tables>;

/** @returns false if another process has just created it */
export async function insertOrg(tx: Tx, createdAt: Date): Promise<boolean> {
  // On a busy machine, another process can take longer to create the sample than the usual lock timeout.
  await sql`set local lock_timeout = 0`.execute(tx);
  const insert = tx
    .insertInto('orgs')
    .values({
      ...sampleOrg,
      home_city: JSON.stringify(sampleOrg.home_city),
      is_sample: true,
      created_at: createdAt,
    })
    // Covers every unique column, since concurrent programs can also conflict on the slug.
    .onConflict((conflict) => conflict.doNothing());
  const { numInsertedOrUpdatedRows } = await withLongTimeout(() => insert.executeTakeFirst());
  return numInsertedOrUpdatedRows === 1n;
}

/** An editor and an admin with verified addresses, who log in with an emailed link. @returns the editor's id */
export async function insertPeople(tx: Tx): Promise<string> {
  const editor = toUserRow(SAMPLE_EDITOR);
  await tx
    .insertInto('users')
    .values([editor, { ...toUserRow(SAMPLE_ADMIN), admin: true }])
    .execute();
  await tx
    .insertInto('org_editors')
    .values({ org_id: sampleOrg.id, user_id: editor.id, display_name: editor.display_name })
    .execute();
  return editor.id;
}

function toUserRow({ email, name }: { readonly email: string; readonly name: string }) {
  return { id: newId(), email, email_verified: true, display_name: name };
}

export async function insertPublishedProfiles(
  tx: Tx,
  table: 'awardees' | 'installers',
  profiles: readonly ProfileWithPhoto[],
): Promise<void> {
  const rows = profiles.map((profile) => ({
    ...toStoryRow(profile),
    consented_at: new Date(profile.createdTimestamp),
  }));
  await tx.insertInto(table).values(rows).execute();
}

export async function insertOffsetters(
  tx: Tx,
  profiles: readonly ProfileWithPhoto[],
  gifts: readonly SampleGift[],
): Promise<void> {
  const rows = profiles.map((profile, index) => {
    const profileGifts = gifts.filter(({ offsetterKey }) => offsetterKey === profile.key);
    return {
      ...toStoryRow(profile),
      // Half of the offsetters agreed to publish their pounds.
      shows_pounds: index % 2 === 0,
      shows_homes: index % 2 === 0,
      email: profileGifts[0]?.payerEmail ?? `${profile.key}@example.org`,
      last_offset_at: profileGifts.at(-1)?.givenAt ?? null,
    };
  });
  await tx.insertInto('offsetters').values(rows).execute();
}

function toStoryRow({ key, name, story, photo, createdTimestamp }: ProfileWithPhoto) {
  return {
    id: key,
    org_id: sampleOrg.id,
    name,
    story,
    photo: JSON.stringify(photo),
    status: 'published' as const,
    created_at: new Date(createdTimestamp),
  };
}
