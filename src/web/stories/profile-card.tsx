import type { Profile } from '#contract/schemas/stories.ts';
import { storyPreview } from '#domain/profile.ts';
import type { StoryScene } from '#web/drawings/landscape.ts';
import { Link } from '#web/navigation/link.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './profile-card.module.css';
import { StoryPhoto } from './story-photo.tsx';

/** What a card shows of a story. Of its words the beginning is enough. */
export type ShownInShort = Pick<Profile, 'id' | 'name' | 'story' | 'photo' | 'profileURL'>;

type ProfileCardProps = {
  profile: ShownInShort;
  scene: StoryScene;
  headingLevel: 2 | 3 | 4;
  /** How wide its photo is where it stands, as the browser's `sizes` has it: more where a tall place cuts its sides off. */
  sizes: string;
  /** Alone in its row, so that there is room for its photo beside its words. */
  alone?: boolean;
};

/** A story in short (§2). All of the card can be pressed; its one link is "Read more". */
export function ProfileCard({ profile, scene, headingLevel, sizes, alone = false }: ProfileCardProps) {
  const Name = `h${headingLevel}` as const;
  return (
    <article className={classNames(styles.card, alone && styles.alone)}>
      <StoryPhoto profile={profile} scene={scene} className={styles.photo} sizes={sizes} />
      <div className={styles.words}>
        <Name className={styles.name}>{profile.name}</Name>
        <p className={styles.story}>{storyPreview(profile.story)}</p>
        <Link to={profile.profileURL} className={styles.link}>
          Read more<VisuallyHidden> about {profile.name}</VisuallyHidden>
        </Link>
      </div>
    </article>
  );
}
