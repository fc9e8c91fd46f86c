import { pagePath } from '#contract/pages.ts';
import type { OwnOffsetter } from '#contract/schemas/users.ts';
import type { Database } from '#server/db/connection.ts';
import { presentPicture, profilePath } from '#server/profiles/present-profile.ts';
import { type OwnOffsetterRow, offsettersOf } from './offsetters.store.ts';

/** A person's offsetters in all organisations, newest first, shown or not. */
export async function readOwnOffsetters(db: Database, userId: string): Promise<OwnOffsetter[]> {
  return (await offsettersOf(db.kysely, userId)).map(present);
}

function present(row: OwnOffsetterRow): OwnOffsetter {
  const { id, org_id: orgid, org_name: orgName, name, story, shown_as: shownAs, status } = row;
  const photoURL = presentPicture(row.photo)?.url ?? null;
  const editURL = pagePath('edit-offsetter-page', { orgid, offsetterid: id });
  return {
    id,
    orgid,
    orgName,
    name,
    story,
    photoURL,
    shownAs,
    status,
    profileURL: profilePath('offsetter', orgid, id),
    editURL,
  };
}
