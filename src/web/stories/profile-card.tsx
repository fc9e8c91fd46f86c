import { previewStory } from '#domain/story-preview.ts';
import { m } from '#messages';
import type { StoryScene } from '#web/drawings/story-landscape.tsx';
import { Link } from '#web/navigation/link.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './profile-card.module.css';
import { type CardStory, getOtherLanguage } from './story-kinds.ts';
import { StoryPhoto } from './story-photo.tsx';

type ProfileCardProps = {
  profile: CardStory;
  scene: StoryScene;
  headingLevel: 2 | 3 | 4;
  /** The photo's `sizes` attribute. It is larger than the box if a tall box crops the photo's sides. */
  sizes: string;
  /** A line below the name. */
  facts?: string;
};

/** A short version of a story (§2). Its one link, "Read more", covers the whole card. */
export function ProfileCard({ profile, scene, headingLevel, sizes, facts }: ProfileCardProps) {
  const Name = `h${headingLevel}` as const;
  const language = getOtherLanguage(profile);
  return (
    <article className={styles.card}>
      <StoryPhoto profile={profile} scene={scene} className={styles.photo} sizes={sizes} />
      <div className={styles.text}>
        <Name className={styles.name}>{profile.name}</Name>
        {facts && (
          <p className={styles.story}>
            <strong>{facts}</strong>
          </p>
        )}
        <p lang={language} className={styles.story}>
          {previewStory(profile.story)}
        </p>
        <Link to={profile.profileURL} className={styles.link}>
          <RichText
            text={m.storyReadMore({ name: profile.name })}
            tags={{ name: (words) => <VisuallyHidden>{words}</VisuallyHidden> }}
          />
          {language && ` ${m.storyOtherLanguage()}`}
        </Link>
      </div>
    </article>
  );
}
