import type { Transaction, Updateable } from 'kysely';
import type { EditorialFields, EditorialStory } from '#contract/schemas/editorial-stories.ts';
import { normalizeLineEndings } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { chosenNameFailure, makeDisplaySafe } from '#domain/names.ts';
import { photoSizeFailure, type StoryStatus, storyFailure } from '#domain/profile.ts';
import { findMissingRequirements, publicationFailure, statusAfterSave } from '#domain/story-publication.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { saveWithPhoto } from '#server/entities/photos.ts';
import { readLastEditor } from '#server/features/activity/read-activity.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import type { PhotoForm } from '#server/http/photo-form.ts';
import { addField } from '#server/http/problems.ts';
import {
  changeEditorialStory,
  type EditorialKey,
  type EditorialRow,
  insertEditorialStoryOnce,
  lockEditorialStory,
} from './editorial-stories.store.ts';
import { EDITORIAL_NOT_FOUND, presentEditorialStory, readEditorialStory } from './editorial-stories.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'jobs' | 'now'>;
export type EditorialForm = PhotoForm<EditorialFields>;
type StoryEdit = { readonly key: EditorialKey; readonly fields: EditorialFields; readonly editorId: string };

/**
 * Creates an awardee or installer, as a draft unless the form has another status. Repeating the call with the same
 * request id changes that story, so that a retry after a lost response doesn't add a second story.
 * @returns Failure for an invalid field, or story-without-photo, no-consent if it can't be published
 */
export async function createEditorialStory(
  deps: Deps,
  { kind, orgId }: Omit<EditorialKey, 'id'>,
  form: EditorialForm,
  editorId: string,
): Promise<EditorialStory | Failure> {
  const edit = { key: { kind, orgId, id: form.fields.requestid ?? newId() }, fields: form.fields, editorId };
  return (
    checkFields(form) ??
    saveWithPhoto(deps, form.photo, (photo) => inTransaction(deps.db, (tx) => insertStory(tx, deps, edit, photo)))
  );
}

/**
 * Updates an awardee or installer with the fields that the form contains. Deletes the files of a replaced photo. Hides
 * a published awardee whose consent is revoked (decisions §5). Saves nothing if another editor has saved a different
 * text since this edit began.
 * @returns Failure awardee-not-found, installer-not-found, story-changed (with the other text), or a failure of
 * createEditorialStory
 */
export async function editEditorialStory(
  deps: Deps,
  key: EditorialKey,
  form: EditorialForm,
  editorId: string,
): Promise<EditorialStory | Failure> {
  const story = await readEditorialStory(deps.db, key);
  if (story instanceof Failure) return story;
  const edit = { key, fields: form.fields, editorId };
  return (
    checkFields(form) ??
    saveWithPhoto(deps, form.photo, (photo) => inTransaction(deps.db, (tx) => changeStory(tx, deps, edit, photo)))
  );
}

function checkFields({ fields: { name, story }, photo }: EditorialForm): Failure | undefined {
  return (
    addField('name', chosenNameFailure(name)) ??
    addField('story', storyFailure(story)) ??
    addField('file', photo && photoSizeFailure(photo.length))
  );
}

async function insertStory(
  tx: Transaction<Tables>,
  deps: Deps,
  edit: StoryEdit,
  photo: StoredPhoto | undefined,
): Promise<EditorialStory | Failure> {
  const { key, fields, editorId } = edit;
  const blankStory = { status: 'draft', consented_at: null, photo: null } as const;
  const status = determineStatus(key, blankStory, fields, photo);
  if (status instanceof Failure) return status;
  const { kind, orgId, id } = key;
  const createdAt = deps.now();
  const isNew = await insertEditorialStoryOnce(tx, kind, {
    id,
    org_id: orgId,
    created_at: createdAt,
    name: fields.name.trim(),
    story: fields.story.trim(),
    photo: photo ? JSON.stringify(photo) : null,
    status,
    ...toConsentColumns(blankStory, fields.consent, { editorId, changedAt: createdAt }),
  });
  return isNew ? readSavedStory(tx, key) : changeStory(tx, deps, edit, photo);
}

async function changeStory(
  tx: Transaction<Tables>,
  { jobs, now }: Deps,
  { key, fields, editorId }: StoryEdit,
  photo: StoredPhoto | undefined,
): Promise<EditorialStory | Failure> {
  const lockedStory = await lockEditorialStory(tx, key);
  if (!lockedStory) return new Failure(EDITORIAL_NOT_FOUND[key.kind]);
  if (hasConflict(lockedStory, fields)) {
    const { name, story } = lockedStory;
    const subject = { orgId: key.orgId, kind: key.kind, subject: key.id };
    const editor = await readLastEditor(tx, { ...subject, columns: ['name', 'story'] });
    return new Failure('story-changed', { name, story, isSavedByCaller: editor.userId === editorId ? 1 : 0 });
  }
  const status = determineStatus(key, lockedStory, fields, photo);
  if (status instanceof Failure) return status;
  if (photo && lockedStory.photo) await jobs.enqueue(tx, removePicture, { key: lockedStory.photo.key });
  const changes: Updateable<Tables['awardees']> = {
    name: fields.name.trim(),
    story: fields.story.trim(),
    status,
    ...(photo ? { photo: JSON.stringify(photo) } : {}),
    ...toConsentColumns(lockedStory, fields.consent, { editorId, changedAt: now() }),
  };
  await changeEditorialStory(tx, key, changes);
  return readSavedStory(tx, key);
}

/** Returns whether the current text differs both from the text that the edit began with and from the new text. */
function hasConflict(current: Pick<EditorialRow, 'name' | 'story'>, fields: EditorialFields): boolean {
  const { basedOnName = current.name, basedOnStory = current.story } = fields;
  const differs = (currentText: string, basedOn: string, newText: string) => {
    const normalized = normalizeLineEndings(currentText);
    return normalized !== normalizeLineEndings(basedOn) && normalized !== newText.trim();
  };
  // The form shows the display-safe name.
  return (
    differs(makeDisplaySafe(current.name), makeDisplaySafe(basedOnName), fields.name) ||
    differs(current.story, basedOnStory, fields.story)
  );
}

/** @returns Failure story-without-photo, no-consent if it can't be published */
function determineStatus(
  { kind }: EditorialKey,
  current: Pick<EditorialRow, 'status' | 'consented_at' | 'photo'>,
  { status: requestedStatus, consent }: EditorialFields,
  photo: StoredPhoto | undefined,
): StoryStatus | Failure {
  const hasConsent = consent === undefined ? current.consented_at !== null : consent === 'true';
  const missingParts = findMissingRequirements(kind, { hasPhoto: Boolean(photo ?? current.photo), hasConsent });
  const status = statusAfterSave(current.status, { requestedStatus, missing: missingParts });
  const [firstMissingPart] = missingParts;
  if (status !== 'published' || firstMissingPart === undefined) return status;
  return addField(firstMissingPart, publicationFailure(firstMissingPart)) ?? status;
}

async function readSavedStory(tx: Transaction<Tables>, key: EditorialKey): Promise<EditorialStory> {
  const row = await lockEditorialStory(tx, key);
  if (!row) throw new Error('The story that was just saved is missing.');
  return presentEditorialStory(key.kind, row);
}

/** Returns the columns to change when consent is given or revoked. */
function toConsentColumns(
  { consented_at }: Pick<EditorialRow, 'consented_at'>,
  consent: EditorialFields['consent'],
  { editorId, changedAt }: { readonly editorId: string; readonly changedAt: Date },
) {
  const hasConsent = consented_at !== null;
  if (consent === undefined || (consent === 'true') === hasConsent) return {};
  return hasConsent
    ? { consented_at: null, consent_revoked_at: changedAt, consent_recorded_by: editorId }
    : { consented_at: changedAt, consent_revoked_at: null, consent_recorded_by: editorId };
}
