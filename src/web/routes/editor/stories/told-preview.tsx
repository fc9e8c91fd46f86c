import { useMemo, useSyncExternalStore } from 'react';
import type { Profile } from '#contract/schemas/stories.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { StoryArticle } from '#web/stories/story-article.tsx';
import { SCENES } from '#web/stories/story-kinds.ts';
import styles from './told-preview.module.css';
import type { ToldEdit } from './use-told-edit.ts';

const SCENE_OF = { awardee: SCENES.awardees, installer: SCENES.installers } as const satisfies Record<
  EditorialKind,
  string
>;

/** How what is typed will look to visitors, in a list and on its page. Nothing in it can be pressed. */
export function ToldPreview({ edit }: { edit: ToldEdit }) {
  const profile = profileOf(edit, usePhotoUrl(edit.photo));
  const scene = SCENE_OF[edit.kind];
  return (
    <section className={styles.preview} aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <p className={styles.lead}>As visitors will see it, in the list and on its page.</p>
      <div className={styles.looks} inert>
        <div className={styles.card}>
          <ProfileCard profile={profile} scene={scene} headingLevel={4} sizes="300px" />
        </div>
        <div className={styles.page}>
          <StoryArticle profile={profile} scene={scene}>
            {null}
          </StoryArticle>
        </div>
      </div>
    </section>
  );
}

/** The size is the browser's to find out. */
const CHOSEN = { width: 1200, height: 800, sources: [] };

function profileOf({ saved, draft }: ToldEdit, chosen: string | undefined): Profile {
  const photo = chosen === undefined ? (saved?.photo ?? null) : { url: chosen, ...CHOSEN };
  return {
    id: saved?.id ?? 'new',
    name: draft.name.trim() || 'Name',
    story: draft.story.trim() || 'The story stands here.',
    photoURL: photo?.url ?? null,
    photo,
    profileURL: '',
    createdTimestamp: saved?.createdTimestamp ?? new Date(0).toISOString(),
  };
}

/** The address of a photo that is not sent yet. */
function usePhotoUrl(photo: File | undefined): string | undefined {
  const address = useMemo(() => photoAddress(photo), [photo]);
  return useSyncExternalStore(address.subscribe, address.now, address.now);
}

/** An address that is there for as long as somebody looks at it: until it is given back it holds the file in memory. */
function photoAddress(photo: File | undefined) {
  let url: string | undefined;
  return {
    now: () => url,
    subscribe: () => {
      url = photo && URL.createObjectURL(photo);
      return () => {
        if (url !== undefined) URL.revokeObjectURL(url);
        url = undefined;
      };
    },
  };
}
