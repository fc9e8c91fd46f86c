import type { ApiClient, ListAnswer } from '#web/api/client.ts';

/** The three kinds of stories: who gave, who was granted, who did the work. */
export type StoryKind = 'offsetters' | 'awardees' | 'installers';
export type StoryList = ListAnswer<'readOffsetters' | 'readAwardees' | 'readInstallers'>;

/** One page of stories, newest first, from the one after `cursorRef` on. */
export function loadStories(
  api: ApiClient,
  orgid: string,
  kind: StoryKind,
  query: { max?: number; cursorRef?: string },
): Promise<StoryList> {
  const input = { params: { orgid }, query };
  if (kind === 'offsetters') return api.list('readOffsetters', input);
  return kind === 'awardees' ? api.list('readAwardees', input) : api.list('readInstallers', input);
}
