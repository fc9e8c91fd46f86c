import type { ReactNode } from 'react';
import type { Profile } from '#contract/schemas/stories.ts';
import type { StoryScene } from '#web/drawings/landscape.ts';
import { PageTitle } from '#web/ui/page.tsx';
import styles from './story-article.module.css';
import { storyParagraphs } from './story-paragraphs.ts';
import { StoryPhoto } from './story-photo.tsx';

type StoryArticleProps = {
  profile: Profile;
  scene: StoryScene;
  /** What those may do with it whose it is. */
  editing?: ReactNode;
  /** The ways on from it. */
  children: ReactNode;
};

/** A whole story: photo, name, words (§2). */
export function StoryArticle({ profile, scene, editing, children }: StoryArticleProps) {
  return (
    <article className={styles.story}>
      <StoryPhoto
        profile={profile}
        scene={scene}
        className={styles.photo}
        sizes="(max-width: 860px) 92vw, 520px"
        first
      />
      <div>
        <div className={styles.head}>
          <PageTitle>{profile.name}</PageTitle>
          {editing}
        </div>
        <div className={styles.words}>
          {storyParagraphs(profile.story).map(({ key, text }) => (
            <p key={key}>{text}</p>
          ))}
        </div>
        {children}
      </div>
    </article>
  );
}
