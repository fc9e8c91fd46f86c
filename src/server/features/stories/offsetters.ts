import type { Insertable, Kysely, Transaction } from 'kysely';
import { pagePath } from '#contract/pages.ts';
import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import type { OwnOffsetter } from '#contract/schemas/users.ts';
import { Failure } from '#domain/failures.ts';
import type { Actor, Subject } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import type { OffsettersTable, Tables } from '#server/db/tables.ts';
import { presentPhoto, presentProfile, profilePath } from '#server/entities/present-profile.ts';
import { storedTexts } from '#server/entities/profile-fields.ts';
import {
  assignOffsetters,
  hideByRefund,
  insertOffsetter,
  newestOffsetterOf,
  noteLastOffset,
  type OffsetterRow,
  type OwnOffsetterRow,
  offsetterById,
  offsetterOfCheckout,
  offsettersOf,
  showAfterRefund,
} from './offsetters.store.ts';

/** An offsetter in any status, whether it is shown or not. */
export type Offsetter = OffsetterRow;
export type OffsetterKey = { readonly orgId: string; readonly id: string };

export function findOffsetter(db: Kysely<Tables>, { orgId, id }: OffsetterKey): Promise<Offsetter | undefined> {
  return offsetterById(db, orgId, id);
}

export function offsetterOfUser(db: Kysely<Tables>, orgId: string, userId: string): Promise<Offsetter | undefined> {
  return newestOffsetterOf(db, orgId, userId);
}

export function submittedOffsetter(
  db: Kysely<Tables>,
  orgId: string,
  checkoutId: string,
): Promise<Offsetter | undefined> {
  return offsetterOfCheckout(db, orgId, checkoutId);
}

/** Adds the offsetter of a checkout, which has at most one. */
export function addOffsetter(tx: Transaction<Tables>, offsetter: Insertable<OffsettersTable>): Promise<Offsetter> {
  return insertOffsetter(tx, offsetter);
}

/**
 * Gives the user who verified an email address the ownerless offsetters submitted with it, in every organization.
 * @param address in lower case, and locked
 */
export function giveOffsettersToOwner(
  tx: Transaction<Tables>,
  { userId, address }: { readonly userId: string; readonly address: string },
): Promise<void> {
  return assignOffsetters(tx, address, userId);
}

/** Locks a user's newest offsetter until the transaction ends. @returns its id */
export async function lockOffsetterOf(
  tx: Transaction<Tables>,
  orgId: string,
  userId: string,
): Promise<string | undefined> {
  const own = await newestOffsetterOf(tx, orgId, userId, 'locked');
  return own?.id;
}

/** Records another gift by the owner of an offsetter. */
export function noteGift(
  tx: Transaction<Tables>,
  { orgId, offsetterId, at }: { readonly orgId: string; readonly offsetterId: string; readonly at: Date },
): Promise<void> {
  return noteLastOffset(tx, orgId, offsetterId, at);
}

/** Locks the offsetter submitted at a checkout until the transaction ends. @returns its id */
export async function lockOffsetterOfCheckout(
  tx: Transaction<Tables>,
  orgId: string,
  checkoutId: string,
): Promise<string | undefined> {
  const submitted = await offsetterOfCheckout(tx, orgId, checkoutId, 'locked');
  return submitted?.id;
}

/** Hides the story of a gift that was given back, and shows it again if the money returns (decisions §3). */
export function followRefund(
  tx: Transaction<Tables>,
  { orgId, id }: OffsetterKey,
  isGivenBack: boolean,
): Promise<void> {
  return isGivenBack ? hideByRefund(tx, orgId, id) : showAfterRefund(tx, orgId, id);
}

/** An unverified email address owns nothing (decisions §4). */
export function isOwner({ user_id }: Pick<Offsetter, 'user_id'>, actor: Actor): boolean {
  return actor.kind === 'user' && actor.emailVerified && actor.userId === user_id;
}

export async function isOwnOffsetter(db: Database, { orgId, id }: OffsetterKey, actor: Actor): Promise<boolean> {
  if (actor.kind === 'visitor') return false;
  const row = await offsetterById(db.kysely, orgId, id);
  return row !== undefined && isOwner(row, actor);
}

/** An offsetter as the permission table sees it; one that does not exist has no owner. */
export async function offsetterSubject(db: Database, { orgId, id }: OffsetterKey): Promise<Subject> {
  const row = await offsetterById(db.kysely, orgId, id);
  return { orgId, ownerId: row?.user_id ?? undefined };
}

/** The caller's own offsetter in an organization (§2, My profile). */
export async function readMyOffsetter(db: Database, orgId: string, actor: Actor): Promise<EditableOffsetter | null> {
  if (actor.kind === 'visitor' || !actor.emailVerified) return null;
  const row = await newestOffsetterOf(db.kysely, orgId, actor.userId);
  return row ? presentEditable(row, actor) : null;
}

/** @returns Failure offsetter-not-found */
export async function readOffsetterToEdit(
  db: Database,
  { orgId, id }: OffsetterKey,
  actor: Actor,
): Promise<EditableOffsetter | Failure> {
  const row = await offsetterById(db.kysely, orgId, id);
  return row ? presentEditable(row, actor) : new Failure('offsetter-not-found');
}

/** For its owner and for admins: with the full name, whether it is shown or not. */
export function presentEditable(row: Offsetter, actor: Actor): EditableOffsetter {
  return {
    ...presentProfile(row, { kind: 'offsetter', orgId: row.org_id }),
    name: storedTexts(row).name,
    shownAs: row.shown_as,
    showsPounds: row.shows_pounds,
    showsHomes: row.shows_homes,
    status: row.status,
    mine: isOwner(row, actor),
  };
}

export async function readOwnOffsetters(db: Database, userId: string): Promise<OwnOffsetter[]> {
  return (await offsettersOf(db.kysely, userId)).map(presentOwn);
}

export function presentOwn(row: OwnOffsetterRow): OwnOffsetter {
  const { id, org_id: orgid, status } = row;
  return {
    id,
    orgid,
    orgName: row.org_name,
    ...storedTexts(row),
    photoURL: presentPhoto(row)?.url ?? null,
    shownAs: row.shown_as,
    status,
    profileURL: profilePath('offsetter', orgid, id),
    editURL: pagePath('edit-offsetter-page', { orgid, offsetterid: id }),
  };
}
