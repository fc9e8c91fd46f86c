import { useState } from 'react';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useLeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { type ToldStoryData, toldCalls } from './route.ts';
import { toldListPath } from './told-paths.ts';
import { statusSentence } from './told-words.ts';
import { type NewerStory, useToldEdit } from './use-told-edit.ts';

/** What happens on the page of one awardee or installer, and where it leads: back to the list. */
export function useToldFormPage(kind: EditorialKind, { org, story }: OrgFrame & ToldStoryData) {
  const calls = toldCalls(useApi(), kind, org.id);
  const toast = useToast();
  const navigator = useNavigator();
  const list = toldListPath(kind, org.id);
  const edit = useToldEdit({
    kind,
    saved: story,
    send: (sent) => (story ? calls.edit(story.id, sent) : calls.create(sent)),
  });
  const leaving = useLeaveGuard(edit.isUnsaved);
  const [wanted, setWanted] = useState<StoryStatus>();
  const save = async (status: StoryStatus | undefined, over?: NewerStory) => {
    setWanted(status);
    const saved = await edit.save(status, over);
    if (!saved) return;
    const isAsBefore = saved.status === story?.status;
    const isFirstDraft = !story && saved.status === 'draft';
    if (isAsBefore || isFirstDraft) toast(`${saved.name} is saved${isFirstDraft ? ' as a draft' : ''}`);
    else toast(statusSentence(saved.name, saved.status));
    leaving.release();
    navigator.forget();
    await navigator.go(list);
  };
  const saveOver = (newer: NewerStory) => save(wanted, newer);
  return { edit, leaving, save, saveOver, cancel: () => void navigator.go(list) };
}
