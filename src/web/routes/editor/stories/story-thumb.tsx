import type { Picture } from '#contract/schemas/shared.ts';
import { Icon } from '#web/ui/icon.tsx';
import { srcSet } from '#web/ui/picture-sources.ts';
import styles from './story-editing.module.css';

/** A story's photo beside its name, or the place where one will be. */
export function StoryThumb({ photo, large = false }: { photo: Picture | null; large?: boolean }) {
  const width = large ? 220 : 96;
  return (
    <div className={styles.thumb}>
      {photo ? (
        <img
          src={photo.url}
          srcSet={srcSet(photo)}
          sizes={`${width}px`}
          width={width}
          height={width}
          alt=""
          loading="lazy"
        />
      ) : (
        <Icon name="camera" />
      )}
    </div>
  );
}
