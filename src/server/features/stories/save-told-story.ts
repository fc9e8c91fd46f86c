import type { Transaction, Updateable } from 'kysely';
import type { ToldFields, ToldStory } from '#contract/schemas/told-stories.ts';
import { normalizeLineEnds } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { nameFailure, photoSizeFailure, type StoryStatus, storyFailure } from '#domain/profile.ts';
import { missingForPublication, needFailure, statusAfterSave } from '#domain/story-publication.ts';
import type { StoredPhoto, StoriesTable, Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { aboutField } from '#server/http/field-failure.ts';
import type { PhotoForm } from '#server/http/photo-form.ts';
import { newId } from '#server/ids.ts';
import { consentChange } from './consent-change.ts';
import { presentToldStory } from './present-told-story.ts';
import { readToldStory, TOLD_NOT_FOUND } from './read-told-stories.ts';
import { changeTold, insertTold, lockedTold, type ToldKey, type ToldRow } from './told-stories.store.ts';

type Deps = Pick<AppDeps, 'db' | 'pictures' | 'jobs' | 'now'>;
export type ToldForm = PhotoForm<ToldFields>;
type Save = { readonly key: ToldKey; readonly fields: ToldFields; readonly editorId: string };

/**
 * Makes an awardee or an installer, a draft unless the form says otherwise.
 * @returns Failure: what is wrong with a field, or what it lacks to be published
 */
export async function createToldStory(
  deps: Deps,
  { kind, orgId }: Omit<ToldKey, 'id'>,
  form: ToldForm,
  editorId: string,
): Promise<ToldStory | Failure> {
  const save = { key: { kind, orgId, id: newId() }, fields: form.fields, editorId };
  return withPhoto(deps, form, (photo) => inTransaction(deps.db, (tx) => insert(tx, deps, save, photo)));
}

/**
 * Changes an awardee or an installer. What the form leaves out stays; the files of a photo that gave way are taken away
 * afterwards. A published awardee whose consent is revoked is hidden (decisions §5).
 * Where somebody else has saved another text since the writer began, nothing is saved, and that one is told.
 * @returns Failure awardee-not-found, installer-not-found, story-changed, what is wrong with a field, or what it lacks to
 * be published
 */
export async function editToldStory(
  deps: Deps,
  key: ToldKey,
  form: ToldForm,
  editorId: string,
): Promise<ToldStory | Failure> {
  const before = await readToldStory(deps.db, key);
  if (before instanceof Failure) return before;
  const save = { key, fields: form.fields, editorId };
  return withPhoto(deps, form, (photo) => inTransaction(deps.db, (tx) => change(tx, deps, save, photo)));
}

/** Has the photo made safe and the story written; a photo that no story came to have is taken away again. */
async function withPhoto(
  { pictures }: Deps,
  { fields, photo: sent }: ToldForm,
  write: (photo: StoredPhoto | undefined) => Promise<ToldStory | Failure>,
): Promise<ToldStory | Failure> {
  const refusal = fieldFailure(fields, sent);
  if (refusal) return refusal;
  const photo = sent && (await pictures.keep(sent));
  if (photo instanceof Failure) return new Failure(photo.code, { ...photo.details, field: 'file' });
  let saved: ToldStory | Failure | undefined;
  try {
    saved = await write(photo);
    return saved;
  } finally {
    if (photo && (saved === undefined || saved instanceof Failure)) await pictures.remove(photo.key);
  }
}

function fieldFailure({ name, story }: ToldFields, photo: Buffer | undefined): Failure | undefined {
  return (
    aboutField('name', nameFailure(name)) ??
    aboutField('story', storyFailure(story)) ??
    aboutField('file', photo && photoSizeFailure(photo.length))
  );
}

async function insert(
  tx: Transaction<Tables>,
  { now }: Deps,
  { key, fields, editorId }: Save,
  photo: StoredPhoto | undefined,
): Promise<ToldStory | Failure> {
  const blank = { status: 'draft', consented_at: null, photo: null } as const;
  const status = statusOf(key, blank, fields, photo);
  if (status instanceof Failure) return status;
  const { kind, orgId, id } = key;
  const at = now();
  await insertTold(tx, kind, {
    id,
    org_id: orgId,
    created_at: at,
    name: fields.name.trim(),
    story: fields.story.trim(),
    photo: photo ? JSON.stringify(photo) : null,
    status,
    ...consentChange(blank, fields.consent, { editorId, at }),
  });
  return written(tx, key);
}

async function change(
  tx: Transaction<Tables>,
  { jobs, now }: Deps,
  { key, fields, editorId }: Save,
  photo: StoredPhoto | undefined,
): Promise<ToldStory | Failure> {
  const before = await lockedTold(tx, key);
  if (!before) return new Failure(TOLD_NOT_FOUND[key.kind]);
  if (isAnotherText(before, fields)) return new Failure('story-changed', { name: before.name, story: before.story });
  const status = statusOf(key, before, fields, photo);
  if (status instanceof Failure) return status;
  if (photo && before.photo) await jobs.enqueue(tx, 'remove-picture', { key: before.photo.key });
  const changes: Updateable<StoriesTable> = {
    name: fields.name.trim(),
    story: fields.story.trim(),
    status,
    ...(photo ? { photo: JSON.stringify(photo) } : {}),
    ...consentChange(before, fields.consent, { editorId, at: now() }),
  };
  await changeTold(tx, key, changes);
  return written(tx, key);
}

/** Whether somebody else saved another text than the one that the writer began from, or has come to. */
function isAnotherText(before: Pick<ToldRow, 'name' | 'story'>, fields: ToldFields): boolean {
  const { basedOnName = before.name, basedOnStory = before.story } = fields;
  const isAnother = (kept: string, basedOn: string, next: string) => {
    const now = normalizeLineEnds(kept);
    return now !== normalizeLineEnds(basedOn) && now !== next.trim();
  };
  return isAnother(before.name, basedOnName, fields.name) || isAnother(before.story, basedOnStory, fields.story);
}

/** The status that a story comes to have; Failure story-without-photo, no-consent where it may not be published. */
function statusOf(
  { kind }: ToldKey,
  before: Pick<ToldRow, 'status' | 'consented_at' | 'photo'>,
  { status: wanted, consent }: ToldFields,
  photo: StoredPhoto | undefined,
): StoryStatus | Failure {
  const hasConsent = consent === undefined ? before.consented_at !== null : consent === 'true';
  const missing = missingForPublication(kind, { hasPhoto: Boolean(photo ?? before.photo), hasConsent });
  const status = statusAfterSave(before.status, { wanted, missing });
  const [need] = missing;
  if (status !== 'published' || need === undefined) return status;
  return aboutField(need, needFailure(need)) ?? status;
}

async function written(tx: Transaction<Tables>, key: ToldKey): Promise<ToldStory> {
  const row = await lockedTold(tx, key);
  if (!row) throw new Error('A story that was just written is not there');
  return presentToldStory(key.kind, row);
}
