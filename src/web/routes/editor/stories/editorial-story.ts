import { pagePath } from '#contract/pages.ts';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import { formatWhole } from '#domain/money.ts';
import {
  MAX_STORY_LENGTH,
  MIN_STORY_LENGTH,
  nameFailure,
  photoFailure,
  type SelectedPhoto,
  type StoryStatus,
  storyFailure,
} from '#domain/profile.ts';
import {
  type EditorialKind,
  findMissingRequirements,
  type PublicationRequirement,
  publicationFailure,
} from '#domain/story-publication.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { formatList } from '#web/ui/text.ts';

export const KIND_LABELS = {
  awardee: {
    plural: 'Awardees',
    singular: 'awardee',
    lead: 'Households a grant has helped. Each published awardee counts as a grant awarded until you mark a grant paid. After that, only paid grants count.',
    empty: 'No awardees yet. Add the first household a grant has helped.',
    storyPlaceholder: 'What was done, and what has changed at home?',
    namePlaceholder: 'For example, “The Rivera family”',
  },
  installer: {
    plural: 'Installers',
    singular: 'installer',
    lead: 'The people and companies who do the work that grants pay for.',
    empty: 'No installers yet. Add the first one.',
    storyPlaceholder: 'Who are they, and how do they make homes warmer?',
    namePlaceholder: 'A person or a company',
  },
} as const satisfies Record<EditorialKind, Readonly<Record<string, string>>>;

export const STATUS_LABELS: Readonly<Record<StoryStatus, string>> = {
  draft: 'Draft',
  published: 'Published',
  hidden: 'Hidden',
};

export function listPath(kind: EditorialKind, orgId: string): string {
  return pagePath(kind === 'awardee' ? 'edit-awardees-page' : 'edit-installers-page', { orgid: orgId });
}

export function editPath(kind: EditorialKind, orgId: string, id: string): string {
  return kind === 'awardee'
    ? pagePath('edit-awardee-page', { orgid: orgId, awardeeid: id })
    : pagePath('edit-installer-page', { orgid: orgId, installerid: id });
}

export function findMissingParts(
  kind: EditorialKind,
  { photo, consent }: Pick<EditorialStory, 'photo' | 'consent'>,
): PublicationRequirement[] {
  return findMissingRequirements(kind, { hasPhoto: photo !== null, hasConsent: consent?.isGiven ?? false });
}

/** "a photo and consent": what a story needs before it can be published. */
export function formatRequirements(requirements: readonly PublicationRequirement[]): string {
  return formatList(requirements.map((requirement) => FIELD_NAMES[requirement]));
}

export function describeStatus(name: string, status: StoryStatus): string {
  return status === 'draft' ? `${name} is a draft again` : `${name} is ${status}`;
}

export type EditorialDraft = { readonly name: string; readonly story: string; readonly consent: boolean };

/** Fields that can be invalid, by their API names and in display order. */
export const EDITORIAL_FIELDS = ['name', 'story', 'file', 'consent'] as const;
export type EditorialField = (typeof EDITORIAL_FIELDS)[number];

type EditorialProblems = Readonly<Partial<Record<EditorialField, string>>>;

export const EMPTY_STORY: EditorialDraft = { name: '', story: '', consent: false };

export function toStoryDraft(saved: EditorialStory | undefined): EditorialDraft {
  return saved ? { name: saved.name, story: saved.story, consent: saved.consent?.isGiven ?? false } : EMPTY_STORY;
}

type Photos = { readonly newPhoto: SelectedPhoto | undefined; readonly hasPhoto: boolean };

/** Problems that block saving a draft, by field (§5). A draft needs no photo. */
export function findDraftProblems(
  { name, story }: EditorialDraft,
  newPhoto: SelectedPhoto | undefined,
): EditorialProblems {
  return problemsByField({
    name: nameFailure(name),
    story: storyFailure(story),
    file: newPhoto && photoFailure(newPhoto),
  });
}

/** Problems that block publishing: those of a draft, a missing photo, and an awardee's missing consent (decisions §5). */
export function findPublishProblems(kind: EditorialKind, draft: EditorialDraft, photos: Photos): EditorialProblems {
  const hasPhoto = photos.newPhoto !== undefined || photos.hasPhoto;
  const missingParts = findMissingRequirements(kind, { hasPhoto, hasConsent: draft.consent });
  const failures = Object.fromEntries(missingParts.map((part) => [part, publicationFailure(part)]));
  return { ...problemsByField<EditorialField>(failures), ...findDraftProblems(draft, photos.newPhoto) };
}

const FIELD_NAMES: Readonly<Record<EditorialField, string>> = {
  name: 'a name',
  story: `a story of ${MIN_STORY_LENGTH} to ${formatWhole(MAX_STORY_LENGTH)} characters`,
  file: 'a photo',
  consent: 'consent',
};

/** "a name and a photo"; empty if nothing is missing. */
export function formatMissingFields(problems: EditorialProblems): string {
  const fields = EDITORIAL_FIELDS.filter((field) => problems[field] !== undefined);
  return formatList(fields.map((field) => FIELD_NAMES[field]));
}

export function hasStoryChanged(
  draft: EditorialDraft,
  saved: EditorialDraft,
  photo: SelectedPhoto | undefined,
): boolean {
  return (
    photo !== undefined || draft.name !== saved.name || draft.story !== saved.story || draft.consent !== saved.consent
  );
}

type Submission = {
  readonly kind: EditorialKind;
  /** The version that the edit is based on; undefined for a new story. The server rejects edits of older versions. */
  readonly base: EditorialDraft | undefined;
  readonly draft: EditorialDraft;
  readonly photo: File | undefined;
  /** The new status; undefined leaves it unchanged. */
  readonly status: StoryStatus | undefined;
  /** The same for every attempt, so that retrying after a lost response doesn't add the story twice. */
  readonly requestId: string;
};

/** Builds the multipart form (decisions §6). */
export function toFormData({ kind, base, draft, photo, status, requestId }: Submission): FormData {
  const form = new FormData();
  form.set('name', draft.name);
  form.set('story', draft.story);
  if (base) {
    form.set('basedOnName', base.name);
    form.set('basedOnStory', base.story);
  } else form.set('requestid', requestId);
  // Send the consent only if it changed here, because another editor may have revoked it.
  if (kind === 'awardee' && draft.consent !== base?.consent) form.set('consent', String(draft.consent));
  if (status !== undefined) form.set('status', status);
  // Append the photo last so the server reads all other fields first.
  if (photo) form.set('file', photo);
  return form;
}
