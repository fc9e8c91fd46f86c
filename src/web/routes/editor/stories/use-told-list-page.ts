import { useState } from 'react';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { useList } from '#web/api/use-list.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useRowChange } from '../use-row-change.ts';
import { type ToldListData, toldCalls } from './route.ts';
import { statusSentence } from './told-words.ts';

export type ToldStanding = StoryStatus | 'all';
type Search = { readonly standing: ToldStanding; readonly query: string };

const ALL: Search = { standing: 'all', query: '' };

/** The awardees or the installers of an organisation, and what becomes of them. */
export function useToldListPage(kind: EditorialKind, { org, list }: OrgFrame & ToldListData) {
  const calls = toldCalls(useApi(), kind, org.id);
  const toast = useToast();
  const navigator = useNavigator();
  const { busy: changing, change } = useRowChange();
  const [deleting, setDeleting] = useState<EditorialStory>();
  const part = useList<EditorialStory, Search>({
    first: list,
    query: ALL,
    load: ({ standing, query }, cursorRef) =>
      calls.list({
        ...(standing === 'all' ? {} : { status: standing }),
        ...(query === '' ? {} : { query }),
        ...(cursorRef === undefined ? {} : { cursorRef }),
      }),
  });
  const setStatus = (story: EditorialStory, status: StoryStatus, isUndo = false) =>
    change(
      () => void setStatus(story, status, isUndo),
      async () => {
        const changed = await calls.setStatus(story.id, status);
        // It stays where it is, also in a list of another status, so that one sees what was done.
        part.put(changed, 'if-listed');
        navigator.forget();
        const undo = { label: 'Undo', run: () => void setStatus(changed, story.status, true) };
        toast(statusSentence(changed.name, changed.status), isUndo ? undefined : undo);
      },
    );
  const remove = async ({ id, name }: EditorialStory) => {
    await calls.remove(id);
    part.remove(id);
    navigator.forget();
    setDeleting(undefined);
    toast(`${name} is deleted`);
  };
  return { part, changing, deleting, setDeleting, setStatus, remove };
}
