import { pagePath } from '#contract/pages.ts';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import type { UserOffsetter } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId, UserId } from '#domain/ids.ts';
import type { Actor, Subject } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import { getProfilePath, presentPhoto, presentProfile } from '#server/entities/present-profile.ts';
import { presentTexts } from '#server/entities/profile-fields.ts';
import {
  findNewestOffsetter,
  findOffsetter,
  listUserOffsetters,
  type OffsetterRow,
  type OffsetterWithOrgRow,
} from './offsetters.store.ts';

export {
  assignOffsetters,
  findNewestOffsetter,
  findOffsetter,
  findOffsetterByCheckout,
  hideAfterRefund,
  insertOffsetter,
  type OffsetterRow,
  recordLastOffset,
  unhideAfterFailedReturn,
} from './offsetters.store.ts';

export type OffsetterKey = { readonly orgId: OrgId; readonly id: string };

/** A user with an unverified email address owns nothing (decisions §4). */
export function isOwner({ user_id }: Pick<OffsetterRow, 'user_id'>, actor: Actor): boolean {
  return actor.kind === 'user' && actor.emailVerified && actor.userId === user_id;
}

export async function isOwnOffsetter(db: Database, { orgId, id }: OffsetterKey, actor: Actor): Promise<boolean> {
  if (actor.kind === 'visitor') return false;
  const row = await findOffsetter(db.kysely, orgId, id);
  return row !== undefined && isOwner(row, actor);
}

/** Finds the permission subject for an offsetter. A missing offsetter has no owner. */
export async function findOffsetterSubject(db: Database, { orgId, id }: OffsetterKey): Promise<Subject> {
  const row = await findOffsetter(db.kysely, orgId, id);
  return { orgId, ownerId: row?.user_id ?? undefined };
}

/** Reads the caller's own offsetter in an organization (§2, My profile). */
export async function readMyOffsetter(db: Database, orgId: OrgId, actor: Actor): Promise<EditableOffsetter | null> {
  if (actor.kind === 'visitor' || !actor.emailVerified) return null;
  const row = await findNewestOffsetter(db.kysely, orgId, actor.userId);
  return row ? presentEditable(row, actor) : null;
}

/** @returns Failure offsetter-not-found */
export async function readOffsetterToEdit(
  db: Database,
  { orgId, id }: OffsetterKey,
  actor: Actor,
): Promise<EditableOffsetter | Failure> {
  const row = await findOffsetter(db.kysely, orgId, id);
  return row ? presentEditable(row, actor) : new Failure('offsetter-not-found');
}

/** Presents an offsetter to its owner and to admins. Includes the full name, even if the public doesn't see it. */
export function presentEditable(row: OffsetterRow, actor: Actor): EditableOffsetter {
  return {
    ...presentProfile(row, { kind: 'offsetter', orgId: row.org_id }),
    name: presentTexts(row).name,
    shownAs: row.shown_as,
    showsPounds: row.shows_pounds,
    showsHomes: row.shows_homes,
    status: row.status,
    mine: isOwner(row, actor),
  };
}

export async function readOwnOffsetters(db: Database, userId: UserId): Promise<UserOffsetter[]> {
  return (await listUserOffsetters(db.kysely, userId)).map(presentOwnOffsetter);
}

export function presentOwnOffsetter(row: OffsetterWithOrgRow): UserOffsetter {
  const { id, org_id: orgId, status } = row;
  return {
    id,
    orgid: orgId,
    orgName: row.org_name,
    ...presentTexts(row),
    photoURL: presentPhoto(row)?.url ?? null,
    shownAs: row.shown_as,
    status,
    profileURL: getProfilePath('offsetter', orgId, id),
    editURL: pagePath('edit-offsetter-page', { orgid: orgId, offsetterid: id }),
  };
}
