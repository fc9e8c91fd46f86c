import { type ReactNode, useEffect, useRef } from 'react';
import type { StoryScene } from '#web/drawings/landscape.ts';
import { NightHouse } from '#web/drawings/night-house.tsx';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { Button } from '#web/ui/button.tsx';
import type { StoryPage } from './more-stories.ts';
import styles from './story-list.module.css';
import { useMoreStories } from './use-more-stories.ts';

type StoryListProps = {
  first: StoryPage;
  /** The stories from the one after `cursorRef` on. */
  load: (cursorRef: string) => Promise<StoryPage>;
  scene: StoryScene;
  /** What is said where there are none. */
  empty: string;
  /** What can be done about that. */
  invitation?: ReactNode;
};

/** Profile cards in columns of at least 200px (§2), and a button for those that come after them. */
export function StoryList({ first, load, scene, empty, invitation }: StoryListProps) {
  const { stories, hasMore, busy, error, loadMore } = useMoreStories(first, load);
  const grid = useFocusOnFirstNew(stories.length, first.items.length);
  if (stories.length === 0) {
    return (
      <div className={styles.empty}>
        <NightHouse />
        <p>{empty}</p>
        {invitation}
      </div>
    );
  }
  return (
    <>
      <div ref={grid} className={styles.grid}>
        {stories.map((profile) => (
          <ProfileCard
            key={profile.id}
            profile={profile}
            scene={scene}
            headingLevel={2}
            sizes="(max-width: 576px) 160px, (max-width: 720px) 46vw, (max-width: 1000px) 31vw, 278px"
          />
        ))}
      </div>
      <p className={styles.error} role="alert">
        {error}
      </p>
      {hasMore && (
        <div className={styles.more}>
          <Button kind="outline" busy={busy} onClick={() => void loadMore()}>
            {busy ? 'Loading…' : 'Load more'}
          </Button>
        </div>
      )}
    </>
  );
}

/** The keyboard goes on at the first card that "Load more" brought. */
function useFocusOnFirstNew(count: number, initial: number) {
  const grid = useRef<HTMLDivElement>(null);
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current && before.current >= initial) {
      grid.current?.querySelectorAll<HTMLElement>('article a')[before.current]?.focus({ preventScroll: true });
    }
    before.current = count;
  }, [count, initial]);
  return grid;
}
