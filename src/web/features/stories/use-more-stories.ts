import { useState } from 'react';
import type { Profile } from '#contract/schemas/stories.ts';
import { useKeptState } from '../../navigation/use-navigator.ts';

export type StoryPage = { readonly items: readonly Profile[]; readonly nextCursor: string | undefined };
type State = { readonly first: StoryPage; readonly more: readonly Profile[]; readonly nextCursor: string | undefined };

export type MoreStories = {
  readonly stories: readonly Profile[];
  readonly hasMore: boolean;
  readonly busy: boolean;
  readonly error: string | undefined;
  readonly loadMore: () => Promise<void>;
};

/**
 * The first page of a list, and every further one that was asked for, also after "back". A newer first page starts the
 * list again.
 */
export function useMoreStories(first: StoryPage, load: (cursorRef: string) => Promise<StoryPage>): MoreStories {
  const [kept, setKept] = useKeptState<State>('more-stories', { first, more: [], nextCursor: first.nextCursor });
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const state = kept.first === first ? kept : { first, more: [], nextCursor: first.nextCursor };
  const loadMore = async () => {
    if (state.nextCursor === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      const page = await load(state.nextCursor);
      setKept({ first, more: [...state.more, ...page.items], nextCursor: page.nextCursor });
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    }
    setBusy(false);
  };
  return { stories: [...first.items, ...state.more], hasMore: state.nextCursor !== undefined, busy, error, loadMore };
}
