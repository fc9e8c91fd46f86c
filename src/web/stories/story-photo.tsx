import type { Profile } from '#contract/schemas/stories.ts';
import type { StoryScene } from '#web/drawings/story-landscape.tsx';
import { StoryLandscape } from '#web/drawings/story-landscape.tsx';
import { buildSrcSet } from '#web/ui/picture-sources.ts';

type StoryPhotoProps = {
  profile: Pick<Profile, 'id' | 'name' | 'photo'>;
  scene: StoryScene;
  /** The `sizes` attribute of the image. */
  sizes: string;
  className?: string | undefined;
  /** True for the main picture of the page, which loads first. */
  isMainImage?: boolean;
};

/** The photo of a story, or a landscape drawn for it. */
export function StoryPhoto({ profile, scene, sizes, className, isMainImage = false }: StoryPhotoProps) {
  const { photo, name, id } = profile;
  if (!photo) return <StoryLandscape seed={id} scene={scene} className={className} />;
  return (
    <img
      className={className}
      src={photo.url}
      srcSet={buildSrcSet(photo)}
      sizes={sizes}
      width={photo.width}
      height={photo.height}
      alt={name}
      data-portrait={photo.height > photo.width || undefined}
      loading={isMainImage ? 'eager' : 'lazy'}
      fetchPriority={isMainImage ? 'high' : undefined}
    />
  );
}
