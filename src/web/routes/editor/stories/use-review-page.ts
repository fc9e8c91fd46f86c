import { useState } from 'react';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { useList } from '#web/api/use-list.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useRowChange } from '../use-row-change.ts';
import { loadOffsetters, type ReviewData } from './route.ts';
import type { StoryFilter } from './story-parts.tsx';

export type DecidedStatus = 'decided' | 'published' | 'hidden';
type Filter = StoryFilter<DecidedStatus>;

export const DECIDED: Filter = { status: 'decided', query: '' };

export function useReviewPage({ org, ...data }: OrgFrame & ReviewData) {
  const api = useApi();
  const toast = useToast();
  const navigator = useNavigator();
  const { admin, emailVerified } = useSession();
  const { busy: changing, change } = useRowChange();
  const [deleting, setDeleting] = useState<ReviewedOffsetter>();
  const [count, setCount] = useState(data.review.waiting);
  const { waiting, decided } = useLists(org.id, data);

  const moveBetweenLists = (before: ReviewedOffsetter, after: ReviewedOffsetter) => {
    const isWaiting = after.status === 'draft';
    const { status } = decided.query;
    waiting.put(after, isWaiting ? 'add' : 'remove');
    if (isWaiting) decided.remove(after.id);
    else decided.put(after, status === 'decided' || status === after.status ? 'add' : 'if-listed');
    setCount((known) => known + Number(isWaiting) - Number(before.status === 'draft'));
    navigator.forget();
  };
  const setStatus = (offsetter: ReviewedOffsetter, status: StoryStatus, isUndo = false) =>
    change(
      () => void setStatus(offsetter, status, isUndo),
      async () => {
        const params = { orgid: org.id, offsetterid: offsetter.id };
        const changed = await api.call('setOffsetterStatus', { params, body: { status } });
        moveBetweenLists(offsetter, changed);
        const undo = { label: 'Undo', run: () => void setStatus(changed, offsetter.status, true) };
        toast(sentenceFor(changed), isUndo ? undefined : undo);
      },
    );
  const remove = async (offsetter: ReviewedOffsetter) => {
    await api.call('deleteOffsetter', { params: { orgid: org.id, offsetterid: offsetter.id } });
    waiting.remove(offsetter.id);
    decided.remove(offsetter.id);
    if (offsetter.status === 'draft') setCount((known) => known - 1);
    navigator.forget();
    setDeleting(undefined);
    toast(`${offsetter.name} is deleted`);
  };
  return {
    waiting,
    decided,
    count,
    changing,
    deleting,
    setDeleting,
    setStatus,
    remove,
    isAdmin: admin && emailVerified,
  };
}

function useLists(orgid: string, data: ReviewData) {
  const api = useApi();
  const from = (cursorRef: string | undefined) => (cursorRef === undefined ? {} : { cursorRef });
  const waiting = useList<ReviewedOffsetter, 'waiting'>({
    first: data.waiting,
    query: 'waiting',
    // The longest wait comes first.
    order: 'asc',
    load: (standing, cursorRef) => loadOffsetters(api, orgid, { standing, order: 'asc', ...from(cursorRef) }),
  });
  const decided = useList<ReviewedOffsetter, Filter>({
    first: data.decided,
    query: DECIDED,
    load: ({ status, query }, cursorRef) =>
      loadOffsetters(api, orgid, { standing: status, ...(query === '' ? {} : { query }), ...from(cursorRef) }),
  });
  return { waiting, decided };
}

function sentenceFor({ name, status }: ReviewedOffsetter): string {
  if (status === 'draft') return `${name}’s story is waiting for review again`;
  return `${name}’s story is ${status}`;
}
