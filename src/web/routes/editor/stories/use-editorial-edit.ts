import { useState } from 'react';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { useDraft } from '#web/session/use-draft.ts';
import {
  EDITORIAL_FIELDS,
  type EditorialDraft,
  type EditorialField,
  EMPTY_STORY,
  findDraftProblems,
  hasStoryChanged,
  toFormData,
  toStoryDraft,
} from './editorial-story.ts';
import { createEditorialApi } from './route.ts';

/** Another editor's newer version. */
export type ConflictingStory = Pick<EditorialDraft, 'name' | 'story'>;
/** @property isOwn true if the same user saved it, for example in another tab */
export type NewerStory = ConflictingStory & { readonly isOwn: boolean };

type Values = EditorialDraft & { readonly file: File | undefined };

/** The form of a new or saved story, with its draft and any conflict with another editor. */
export function useEditorialEdit(kind: EditorialKind, orgId: string, saved: EditorialStory | undefined) {
  const storyApi = createEditorialApi(useApi(), kind, orgId);
  const form = useForm<Values, EditorialField>({
    initial: { ...toStoryDraft(saved), file: undefined },
    fields: EDITORIAL_FIELDS,
    validate: ({ file, ...draft }) => findDraftProblems(draft, file),
  });
  const { file: photo, ...draft } = form.values;
  const [base, setBase] = useState(() => saved && toStoryDraft(saved));
  const [newer, setNewer] = useState<NewerStory>();
  const [requestId] = useState(() => crypto.randomUUID());
  /**
   * @param overwritten another editor's newer version, which the user chose to overwrite
   * @returns the saved story; undefined if it was rejected (the form then shows the problem)
   */
  const save = async (
    status: StoryStatus | undefined,
    overwritten?: ConflictingStory,
  ): Promise<EditorialStory | undefined> => {
    const newBase = base && { ...base, ...overwritten };
    setBase(newBase);
    setNewer(undefined);
    const response = await form.submit(async (onProgress) => {
      const upload = { form: toFormData({ kind, base: newBase, draft, photo, status, requestId }), onProgress };
      try {
        return await (saved ? storyApi.edit(saved.id, upload) : storyApi.create(upload));
      } catch (error) {
        const newerVersion = parseNewerStory(error);
        if (!newerVersion) throw error;
        setNewer(newerVersion);
        return undefined;
      }
    });
    return response?.result;
  };
  const keepEditing = () => setNewer(undefined);
  const takeTheirs = (theirs: ConflictingStory) => {
    setBase((previous) => previous && { ...previous, ...theirs });
    form.change(theirs);
    keepEditing();
  };
  const isUnsaved = hasStoryChanged(draft, base ?? EMPTY_STORY, photo);
  const formDraft = useDraft({
    name: `${kind}-${orgId}-${saved?.id ?? 'new'}`,
    values: draft,
    base: base ?? EMPTY_STORY,
    savedValues: toStoryDraft(saved),
    isUnsaved,
    restore: (values, draftBase) => {
      const { consent } = toStoryDraft(saved);
      // The server doesn't compare the consent, so a draft that didn't change it must not undo a newer change.
      form.change(values.consent === draftBase.consent ? { ...values, consent } : values);
      setBase(saved && { ...draftBase, consent });
    },
  });
  return {
    kind,
    saved,
    form,
    draft,
    photo,
    newer,
    isUnsaved,
    formDraft,
    save,
    keepEditing,
    takeTheirs,
  };
}

export type EditorialEdit = ReturnType<typeof useEditorialEdit>;

function parseNewerStory(error: unknown): NewerStory | undefined {
  const details = error instanceof ApiProblem ? error.getDetails('story-changed') : undefined;
  return (
    details && {
      name: String(details.name),
      story: String(details.story),
      isOwn: details.isSavedByCaller === 1,
    }
  );
}
