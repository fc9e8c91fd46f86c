import type { Transaction, Updateable } from 'kysely';
import type { EditorialFields, EditorialStory } from '#contract/schemas/editorial-stories.ts';
import { normalizeLineEnds } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { chosenNameFailure, harmlessName } from '#domain/names.ts';
import { photoSizeFailure, type StoryStatus, storyFailure } from '#domain/profile.ts';
import { missingForPublication, publicationFailure, statusAfterSave } from '#domain/story-publication.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { removePicture } from '#server/gateways/pictures/remove-picture.job.ts';
import type { PhotoForm } from '#server/http/photo-form.ts';
import { aboutField } from '#server/http/problems.ts';
import {
  changeEditorial,
  type EditorialKey,
  type EditorialRow,
  insertEditorial,
  lockedEditorial,
} from './editorial-stories.store.ts';
import { EDITORIAL_NOT_FOUND, presentEditorial, readEditorialStory } from './editorial-stories.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'jobs' | 'now'>;
export type EditorialForm = PhotoForm<EditorialFields>;
type Save = { readonly key: EditorialKey; readonly fields: EditorialFields; readonly editorId: string };

/**
 * Creates an awardee or installer, as a draft unless the form says otherwise.
 * @returns Failure for an invalid field, or story-without-photo, no-consent if it cannot be published
 */
export async function createEditorialStory(
  deps: Deps,
  { kind, orgId }: Omit<EditorialKey, 'id'>,
  form: EditorialForm,
  editorId: string,
): Promise<EditorialStory | Failure> {
  const save = { key: { kind, orgId, id: newId() }, fields: form.fields, editorId };
  return withPhoto(deps, form, (photo) => inTransaction(deps.db, (tx) => insert(tx, deps, save, photo)));
}

/**
 * Changes an awardee or installer; what the form leaves out stays, and a replaced photo's files are deleted. A published
 * awardee whose consent is revoked is hidden (decisions §5). If another editor has saved a different text since this
 * edit began, nothing is saved.
 * @returns Failure awardee-not-found, installer-not-found, story-changed (with the other text), or as createEditorialStory
 */
export async function editEditorialStory(
  deps: Deps,
  key: EditorialKey,
  form: EditorialForm,
  editorId: string,
): Promise<EditorialStory | Failure> {
  const before = await readEditorialStory(deps.db, key);
  if (before instanceof Failure) return before;
  const save = { key, fields: form.fields, editorId };
  return withPhoto(deps, form, (photo) => inTransaction(deps.db, (tx) => change(tx, deps, save, photo)));
}

/** Stores the photo and writes the story; if that fails, the photo is deleted again. */
async function withPhoto(
  { pictures }: Deps,
  { fields, photo: sent }: EditorialForm,
  write: (photo: StoredPhoto | undefined) => Promise<EditorialStory | Failure>,
): Promise<EditorialStory | Failure> {
  const refusal = fieldFailure(fields, sent);
  if (refusal) return refusal;
  const photo = sent && (await pictures.store(sent));
  if (photo instanceof Failure) return new Failure(photo.code, { ...photo.details, field: 'file' });
  let saved: EditorialStory | Failure | undefined;
  try {
    saved = await write(photo);
    return saved;
  } finally {
    if (photo && (saved === undefined || saved instanceof Failure)) await pictures.discard(photo.key);
  }
}

function fieldFailure({ name, story }: EditorialFields, photo: EditorialForm['photo']): Failure | undefined {
  return (
    aboutField('name', chosenNameFailure(name)) ??
    aboutField('story', storyFailure(story)) ??
    aboutField('file', photo && photoSizeFailure(photo.length))
  );
}

async function insert(
  tx: Transaction<Tables>,
  { now }: Deps,
  { key, fields, editorId }: Save,
  photo: StoredPhoto | undefined,
): Promise<EditorialStory | Failure> {
  const blank = { status: 'draft', consented_at: null, photo: null } as const;
  const status = statusOf(key, blank, fields, photo);
  if (status instanceof Failure) return status;
  const { kind, orgId, id } = key;
  const at = now();
  await insertEditorial(tx, kind, {
    id,
    org_id: orgId,
    created_at: at,
    name: fields.name.trim(),
    story: fields.story.trim(),
    photo: photo ? JSON.stringify(photo) : null,
    status,
    ...consentChange(blank, fields.consent, { editorId, at }),
  });
  return readBack(tx, key);
}

async function change(
  tx: Transaction<Tables>,
  { jobs, now }: Deps,
  { key, fields, editorId }: Save,
  photo: StoredPhoto | undefined,
): Promise<EditorialStory | Failure> {
  const before = await lockedEditorial(tx, key);
  if (!before) return new Failure(EDITORIAL_NOT_FOUND[key.kind]);
  if (hasConflict(before, fields)) return new Failure('story-changed', { name: before.name, story: before.story });
  const status = statusOf(key, before, fields, photo);
  if (status instanceof Failure) return status;
  if (photo && before.photo) await jobs.enqueue(tx, removePicture, { key: before.photo.key });
  const changes: Updateable<Tables['awardees']> = {
    name: fields.name.trim(),
    story: fields.story.trim(),
    status,
    ...(photo ? { photo: JSON.stringify(photo) } : {}),
    ...consentChange(before, fields.consent, { editorId, at: now() }),
  };
  await changeEditorial(tx, key, changes);
  return readBack(tx, key);
}

/** Whether the saved text is neither the one the edit began from nor the one it ends with. */
function hasConflict(before: Pick<EditorialRow, 'name' | 'story'>, fields: EditorialFields): boolean {
  const { basedOnName = before.name, basedOnStory = before.story } = fields;
  const differs = (saved: string, basedOn: string, next: string) => {
    const now = normalizeLineEnds(saved);
    return now !== normalizeLineEnds(basedOn) && now !== next.trim();
  };
  // A name is shown, and edited, in its harmless form.
  return (
    differs(harmlessName(before.name), harmlessName(basedOnName), fields.name) ||
    differs(before.story, basedOnStory, fields.story)
  );
}

/** @returns Failure story-without-photo, no-consent if it cannot be published */
function statusOf(
  { kind }: EditorialKey,
  before: Pick<EditorialRow, 'status' | 'consented_at' | 'photo'>,
  { status: requested, consent }: EditorialFields,
  photo: StoredPhoto | undefined,
): StoryStatus | Failure {
  const hasConsent = consent === undefined ? before.consented_at !== null : consent === 'true';
  const missing = missingForPublication(kind, { hasPhoto: Boolean(photo ?? before.photo), hasConsent });
  const status = statusAfterSave(before.status, { requested, missing });
  const [firstMissing] = missing;
  if (status !== 'published' || firstMissing === undefined) return status;
  return aboutField(firstMissing, publicationFailure(firstMissing)) ?? status;
}

async function readBack(tx: Transaction<Tables>, key: EditorialKey): Promise<EditorialStory> {
  const row = await lockedEditorial(tx, key);
  if (!row) throw new Error('The story that was just saved is missing.');
  return presentEditorial(key.kind, row);
}

/** The columns to change when consent is given or revoked; none if it stays as recorded. */
function consentChange(
  { consented_at }: Pick<EditorialRow, 'consented_at'>,
  consent: EditorialFields['consent'],
  { editorId, at }: { readonly editorId: string; readonly at: Date },
) {
  const isGiven = consented_at !== null;
  if (consent === undefined || (consent === 'true') === isGiven) return {};
  return isGiven
    ? { consented_at: null, consent_revoked_at: at, consent_recorded_by: editorId }
    : { consented_at: at, consent_revoked_at: null, consent_recorded_by: editorId };
}
