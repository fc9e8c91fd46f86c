import type { Neighbours } from '#contract/schemas/stories.ts';
import type { StoryScene } from '#web/drawings/landscape.ts';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import styles from './read-on.module.css';

/** How the next story of the list begins, for whoever has come to the end of one; after the last one there is none. */
export function ReadOn({ neighbours: { next }, scene }: { neighbours: Neighbours; scene: StoryScene }) {
  // What was kept for times without a network may be of a server that told only whose the next story is.
  if (!next?.preview) return null;
  return (
    <section className={styles.next} aria-labelledby="read-on">
      <h2 id="read-on">Read on</h2>
      <ProfileCard
        profile={{ ...next, story: next.preview }}
        scene={scene}
        headingLevel={3}
        sizes="(max-width: 576px) 160px, (max-width: 860px) 60vw, 400px"
        alone
      />
    </section>
  );
}
