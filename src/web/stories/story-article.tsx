import type { ReactNode } from 'react';
import type { Profile } from '#contract/schemas/stories.ts';
import { m } from '#messages';
import type { StoryScene } from '#web/drawings/story-landscape.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { PageTitle } from '#web/ui/page.tsx';
import styles from './story-article.module.css';
import { getOtherLanguage } from './story-kinds.ts';
import { StoryPhoto } from './story-photo.tsx';

type StoryArticleProps = {
  profile: Profile;
  scene: StoryScene;
  /** The edit button, for people who may edit the story. */
  editButton?: ReactNode;
  /** The line below the name. */
  byline?: ReactNode;
  /** Shown below the photo, or on a phone after the story. */
  aside?: ReactNode;
  /** The links that follow the story. */
  children: ReactNode;
};

/** A whole story: photo, name, text (§2). */
export function StoryArticle({ profile, scene, editButton, byline, aside, children }: StoryArticleProps) {
  const language = getOtherLanguage(profile);
  return (
    <article className={classNames(styles.story, !aside && styles.stickyPhoto)}>
      <StoryPhoto
        profile={profile}
        scene={scene}
        className={styles.photo}
        sizes="(max-width: 960px) 92vw, 520px"
        isMainImage
      />
      <div className={styles.main}>
        <div className={styles.head}>
          <PageTitle>{profile.name}</PageTitle>
          {editButton}
        </div>
        {byline}
        {language && <p className={styles.language}>{m.storyInOtherLanguage()}</p>}
        <div lang={language} className={styles.text}>
          <StoryParagraphs story={profile.story} />
        </div>
        {children}
      </div>
      {aside && <div className={styles.aside}>{aside}</div>}
    </article>
  );
}

/** `dir="auto"` lets the browser detect right-to-left text, such as Hebrew or Arabic. */
export function StoryParagraphs({ story }: { story: string }) {
  return splitParagraphs(story).map(({ key, text }) => (
    <p key={key} dir="auto">
      {text}
    </p>
  ));
}

type Paragraph = { readonly key: string; readonly text: string };

/** The paragraphs of a story, separated by line breaks; empty ones are dropped. */
export function splitParagraphs(story: string): Paragraph[] {
  const texts = story.split(/\r?\n/).map((line) => line.trim());
  return texts.filter(Boolean).map((text, index) => ({ key: `paragraph-${index}`, text }));
}
