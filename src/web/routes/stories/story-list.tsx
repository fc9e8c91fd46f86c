import type { ReactNode } from 'react';
import type { Profile } from '#contract/schemas/stories.ts';
import type { LoadedPage } from '#web/api/client.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useVisitState } from '#web/navigation/use-navigator.ts';
import { describeGrants } from '#web/stories/grant-lines.ts';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { LIST_TITLES, SCENES, type StoryKind } from '#web/stories/story-kinds.ts';
import { ListFooter } from '#web/ui/list-parts.tsx';
import styles from './stories.module.css';

type StoryListProps = {
  kind: StoryKind;
  firstPage: LoadedPage<Profile>;
  /** Loads the page of stories after `cursorRef`. */
  load: (cursorRef: string) => Promise<LoadedPage<Profile>>;
  /** Shown when there are no stories. */
  empty: ReactNode;
};

/** Profile cards in columns of at least 200px (§2), and "Load more". */
export function StoryList({ kind, firstPage, load, empty }: StoryListProps) {
  const { stories, loadMore, ...more } = useMoreStories(firstPage, load);
  if (stories.length === 0) {
    return (
      <div className={styles.empty}>
        <NightHouse />
        {empty}
      </div>
    );
  }
  return (
    <>
      <div className={styles.grid}>
        {stories.map((profile) => (
          <ProfileCard
            key={profile.id}
            profile={profile}
            scene={SCENES[kind]}
            headingLevel={2}
            facts={describeGrants(profile)}
            sizes="(max-width: 576px) 160px, (max-width: 960px) 46vw, (max-width: 1260px) 31vw, 278px"
          />
        ))}
      </div>
      <div className={styles.more}>
        <ListFooter {...more} itemNoun={LIST_TITLES[kind].toLowerCase()} onMore={() => void loadMore()} />
      </div>
    </>
  );
}

/** The loaded part of a list, newest first. The first page is separate, because live updates replace it. */
export type LoadedStories = {
  readonly firstPage: LoadedPage<Profile>;
  readonly laterStories: readonly Profile[];
  readonly nextCursor: string | undefined;
};

/** A list of stories and its "Load more". Loaded stories survive going back and updates of the first page. */
function useMoreStories(firstPage: LoadedPage<Profile>, load: (cursorRef: string) => Promise<LoadedPage<Profile>>) {
  const [savedStories, setSavedStories] = useVisitState<LoadedStories>('more-stories', createLoadedStories(firstPage));
  const { busy, problem, run } = useAttempt();
  const stories = replaceFirstPage(savedStories, firstPage);
  const { nextCursor } = stories;
  const loadMore = async () => {
    if (nextCursor !== undefined) await run(async () => setSavedStories(appendPage(stories, await load(nextCursor))));
  };
  return {
    stories: [...stories.firstPage.items, ...stories.laterStories],
    hasMore: nextCursor !== undefined,
    busy,
    problem,
    loadMore,
  };
}

export function createLoadedStories(firstPage: LoadedPage<Profile>): LoadedStories {
  return { firstPage, laterStories: [], nextCursor: firstPage.nextCursor };
}

/**
 * The list with a newer first page. Later stories stay, so that readers don't lose their place. A story that was pushed off
 * the first page moves down, and a deleted story disappears.
 */
export function replaceFirstPage(loadedStories: LoadedStories, firstPage: LoadedPage<Profile>): LoadedStories {
  if (loadedStories.firstPage === firstPage) return loadedStories;
  const lastStory = firstPage.items.at(-1);
  if (loadedStories.laterStories.length === 0 || firstPage.nextCursor === undefined || !lastStory)
    return createLoadedStories(firstPage);
  const firstPageIds = new Set(firstPage.items.map(({ id }) => id));
  const isAfterFirstPage = ({ id, createdTimestamp }: Profile) =>
    !firstPageIds.has(id) && createdTimestamp <= lastStory.createdTimestamp;
  return {
    firstPage,
    laterStories: [...loadedStories.firstPage.items, ...loadedStories.laterStories].filter(isAfterFirstPage),
    nextCursor: loadedStories.nextCursor,
  };
}

/** Appends the next page to the list. A story that moved between the two requests is listed once. */
export function appendPage(loadedStories: LoadedStories, page: LoadedPage<Profile>): LoadedStories {
  const listedIds = new Set([...loadedStories.firstPage.items, ...loadedStories.laterStories].map(({ id }) => id));
  return {
    firstPage: loadedStories.firstPage,
    laterStories: [...loadedStories.laterStories, ...page.items.filter(({ id }) => !listedIds.has(id))],
    nextCursor: page.nextCursor,
  };
}
