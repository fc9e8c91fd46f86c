import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { useList } from '#web/api/use-list.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { reviewQuery } from '../queries.ts';
import { useRowChange } from '../use-row-change.ts';
import { type ReviewedFilter, reviewedQuery, waitingQuery } from './route.ts';

type StatusChange = {
  readonly offsetter: ReviewedOffsetter;
  readonly status: StoryStatus;
  readonly isUndo?: boolean;
};

export function useReviewPage(orgId: string, filter: ReviewedFilter) {
  const api = useApi();
  const toast = useToast();
  const [storyToDelete, setStoryToDelete] = useState<ReviewedOffsetter>();
  const { data: review } = useSuspenseQuery(reviewQuery(api, orgId));
  const waitingList = useList(waitingQuery(api, orgId), 'asc');
  const reviewedList = useList(reviewedQuery(api, orgId, filter));

  const moveBetweenLists = (offsetter: ReviewedOffsetter) => {
    const isWaiting = offsetter.status === 'draft';
    const { status } = filter;
    waitingList.put(offsetter, isWaiting ? 'add' : 'remove');
    if (isWaiting) reviewedList.put(offsetter, 'remove');
    else reviewedList.put(offsetter, status === 'decided' || status === offsetter.status ? 'add' : 'if-listed');
  };
  const { isChanging, changeRow: setStatus } = useRowChange<StatusChange>(async ({ offsetter, status, isUndo }) => {
    const params = { orgid: orgId, offsetterid: offsetter.id };
    const newOffsetter = await api.call('setOffsetterStatus', { params, body: { status } });
    moveBetweenLists(newOffsetter);
    const undo = isUndo ? undefined : { offsetter: newOffsetter, status: offsetter.status, isUndo: true };
    return { message: describeStatus(newOffsetter), undo };
  });
  const remove = async (offsetter: ReviewedOffsetter) => {
    await api.call('deleteOffsetter', { params: { orgid: orgId, offsetterid: offsetter.id } });
    waitingList.put(offsetter, 'remove');
    reviewedList.put(offsetter, 'remove');
    setStoryToDelete(undefined);
    toast(`${offsetter.name} is deleted`);
  };
  return {
    review,
    waitingList,
    reviewedList,
    isChanging,
    storyToDelete,
    setStoryToDelete,
    setStatus,
    remove,
  };
}

function describeStatus({ name, status }: ReviewedOffsetter): string {
  if (status === 'draft') return `${name}’s story is back in review`;
  return `${name}’s story is ${status}`;
}
