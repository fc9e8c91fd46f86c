import { useState } from 'react';
import type { Profile } from '#contract/schemas/stories.ts';
import { useKeptState } from '#web/navigation/use-navigator.ts';
import { type ShownStories, type StoryPage, startStories, withFirst, withMore } from './more-stories.ts';

export type MoreStories = {
  readonly stories: readonly Profile[];
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly error: string | undefined;
  readonly loadMore: () => Promise<void>;
};

/** The first page of a list, and every further one that was asked for, also after "back" and after a change. */
export function useMoreStories(first: StoryPage, load: (cursorRef: string) => Promise<StoryPage>): MoreStories {
  const [kept, setKept] = useKeptState<ShownStories>('more-stories', startStories(first));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const shown = withFirst(kept, first);
  const loadMore = async () => {
    if (shown.nextCursor === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      setKept(withMore(shown, await load(shown.nextCursor)));
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
    setBusy(false);
  };
  return {
    stories: [...shown.first.items, ...shown.more],
    hasMore: shown.nextCursor !== undefined,
    busy,
    error,
    loadMore,
  };
}
