import type { Profile } from '#contract/schemas/stories.ts';
import type { StoryScene } from '#web/drawings/landscape.ts';
import { Tile } from '#web/drawings/tile.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { srcSet } from '#web/ui/picture-sources.ts';
import styles from './story-photo.module.css';

type StoryPhotoProps = {
  profile: Pick<Profile, 'id' | 'name' | 'photo'>;
  scene: StoryScene;
  /** How wide it is shown, as the browser's `sizes` has it. */
  sizes: string;
  className?: string | undefined;
  /** Whether it is what the page is about, rather than one of many. */
  first?: boolean;
};

/** The photo of a story, or a landscape drawn for it. */
export function StoryPhoto({ profile, scene, sizes, className, first = false }: StoryPhotoProps) {
  const { photo, name, id } = profile;
  if (!photo) return <Tile seed={id} scene={scene} className={className} />;
  return (
    <img
      className={classNames(styles.photo, className)}
      src={photo.url}
      srcSet={srcSet(photo)}
      sizes={sizes}
      width={photo.width}
      height={photo.height}
      alt={name}
      loading={first ? 'eager' : 'lazy'}
      fetchPriority={first ? 'high' : undefined}
    />
  );
}
