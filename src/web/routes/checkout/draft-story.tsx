import type { Profile } from '#contract/schemas/stories.ts';
import { SCENES } from '#web/stories/story-kinds.ts';
import { storyParagraphs } from '#web/stories/story-paragraphs.ts';
import { StoryPhoto } from '#web/stories/story-photo.tsx';
import styles from './draft-story.module.css';

/** A story that waits for an editor, as its offsetter page will show it (decisions §5). */
export function DraftStory({ profile }: { profile: Profile }) {
  return (
    <article className={styles.story}>
      <StoryPhoto
        profile={profile}
        scene={SCENES.offsetters}
        className={styles.photo}
        sizes="(max-width: 960px) 92vw, 640px"
      />
      <div className={styles.words}>
        <h3>{profile.name}</h3>
        {storyParagraphs(profile.story).map(({ key, text }) => (
          <p key={key}>{text}</p>
        ))}
      </div>
    </article>
  );
}
