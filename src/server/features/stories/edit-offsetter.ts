import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { EditableOffsetter, OffsetterFields } from '#contract/schemas/offsetters.ts';
import type { ProfileTexts } from '#contract/schemas/stories.ts';
import { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import { statusAfterEdit } from '#domain/profile.ts';
import { type Language, m } from '#messages';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import type { OrgFacts } from '#server/entities/find-org.ts';
import { saveWithPhoto } from '#server/entities/photos.ts';
import { findProfileFailure, presentTexts, toTextColumns } from '#server/entities/profile-fields.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import type { PhotoForm } from '#server/http/photo-form.ts';
import {
  changeOffsetter,
  deleteOffsetterRow,
  findOffsetter,
  lockOffsetter,
  type OffsetterRow,
} from './offsetters.store.ts';
import { isOwner, type OffsetterKey, presentEditable } from './offsetters.ts';
import { sendStoryEmail } from './send-story-email.job.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'jobs'>;
export type OffsetterForm = PhotoForm<OffsetterFields>;
/** Name and story are required (§5). */
type CompleteFields = OffsetterFields & ProfileTexts;
type OffsetterEdit = {
  readonly key: OffsetterKey;
  readonly actor: Actor;
  readonly language: Language;
  readonly fields: CompleteFields;
  readonly needsReview: boolean;
};

/**
 * Changes an offsetter's name, story, and visibility, and its photo if the form has one. Deletes the files of a replaced
 * photo.
 * @returns Failure offsetter-not-found, or for an invalid field
 */
export async function editOffsetter(
  deps: Deps,
  { org, id }: { readonly org: OrgFacts; readonly id: string },
  form: OffsetterForm,
  { actor, language }: { readonly actor: Actor; readonly language: Language },
): Promise<EditableOffsetter | Failure> {
  const key = { orgId: org.id, id };
  const offsetter = await findOffsetter(deps.db.kysely, key.orgId, key.id);
  if (!offsetter) return new Failure('offsetter-not-found');
  const { name, story } = form.fields;
  if (name === undefined) return new Failure('no-name', { field: 'name' });
  if (story === undefined) return new Failure('no-story', { field: 'story' });
  const fields = { ...form.fields, name, story };
  const failure = offsetterFailure(offsetter, { ...form, fields });
  if (failure) return failure;
  const edit = { key, actor, language, fields, needsReview: org.reviewStories };
  return saveWithPhoto(deps, form.photo, async (photo) => {
    const updatedStory = await inTransaction(deps.db, (tx) => saveEdit(tx, deps, edit, photo));
    return updatedStory ? presentEditable(updatedStory, actor) : new Failure('offsetter-not-found');
  });
}

function offsetterFailure({ org_id, photo, shown_as }: OffsetterRow, form: PhotoForm<CompleteFields>) {
  const { orgid: orgId = org_id, shownAs = shown_as } = form.fields;
  if (orgId !== org_id)
    return new Failure('invalid-input', { problem: (options) => m.inputOtherOffsetter({}, options) });
  return findProfileFailure(form, { shownAs, hasPhoto: photo !== null });
}

async function saveEdit(
  tx: Transaction<Tables>,
  { jobs }: Deps,
  { key, actor, language, fields, needsReview }: OffsetterEdit,
  photo: StoredPhoto | undefined,
): Promise<OffsetterRow | undefined> {
  const lockedOffsetter = await lockOffsetter(tx, key.orgId, key.id);
  if (!lockedOffsetter) return undefined;
  const { shownAs = lockedOffsetter.shown_as } = fields;
  const texts = toTextColumns(fields);
  const hasChanges = photo !== undefined || !isDeepStrictEqual(texts, presentTexts(lockedOffsetter));
  if (photo && lockedOffsetter.photo) await jobs.enqueue(tx, removePicture, { key: lockedOffsetter.photo.key });
  const updatedStory = await changeOffsetter(tx, key, {
    ...texts,
    // Admins don't write stories, but correct them.
    ...(texts.story !== lockedOffsetter.story && isOwner(lockedOffsetter, actor) ? { language } : {}),
    shown_as: shownAs,
    ...(fields.showsHomes === undefined ? {} : { shows_homes: fields.showsHomes === 'true' }),
    ...(fields.showsPounds === undefined ? {} : { shows_pounds: fields.showsPounds === 'true' }),
    status: statusAfterEdit(lockedOffsetter.status, {
      shownAs,
      requiresReview: needsReview,
      isOwnerEdit: isOwner(lockedOffsetter, actor),
      hasChanged: hasChanges,
    }),
    ...(photo ? { photo: JSON.stringify(photo) } : {}),
  });
  if (lockedOffsetter.status === 'draft' && updatedStory.status === 'published')
    await jobs.enqueue(tx, sendStoryEmail, { orgId: key.orgId, offsetterId: key.id, changedAt: null });
  return updatedStory;
}

/** Deletes an offsetter and its photo's files. @returns Failure offsetter-not-found */
export async function deleteOffsetter(
  { db, jobs }: Pick<AppDeps, 'db' | 'jobs'>,
  { orgId, id }: OffsetterKey,
): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) =>
    (await removeOffsetter(tx, jobs, { orgId, id })) ? {} : new Failure('offsetter-not-found'),
  );
}

/** Deletes an offsetter in the caller's transaction. @returns whether it existed */
export async function removeOffsetter(
  tx: Transaction<Tables>,
  jobs: AppDeps['jobs'],
  { orgId, id }: OffsetterKey,
): Promise<boolean> {
  const row = await deleteOffsetterRow(tx, orgId, id);
  if (row?.photo) await jobs.enqueue(tx, removePicture, { key: row.photo.key });
  return row !== undefined;
}
