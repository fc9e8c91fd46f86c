import type { OwnOffsetter } from '#contract/schemas/users.ts';
import { isStoryShown, storyPreview } from '#domain/profile.ts';
import { Tile } from '#web/drawings/tile.tsx';
import { Link } from '#web/navigation/link.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { storyStanding } from './gift-words.ts';
import styles from './own-offsetters.module.css';

/** The stories that somebody tells, also those that nobody sees just now. */
export function OwnOffsetters({ offsetters }: { offsetters: readonly OwnOffsetter[] }) {
  return (
    <ul className={styles.stories}>
      {offsetters.map((own) => (
        <li key={own.id} className={styles.story}>
          {own.photoURL === null ? (
            <Tile seed={own.id} scene="trip" className={styles.photo} />
          ) : (
            <img src={own.photoURL} alt="" className={styles.photo} loading="lazy" />
          )}
          <div className={styles.words}>
            <h3 className={styles.name}>{own.name || 'Without a name'}</h3>
            <p className={styles.facts}>
              {own.orgName} · {storyStanding(own)}
            </p>
            <p className={styles.text}>{storyPreview(own.story)}</p>
            <p className={styles.ways}>
              <ButtonLink kind="outline" to={own.editURL}>
                Edit<VisuallyHidden> your story at {own.orgName}</VisuallyHidden>
              </ButtonLink>
              {isStoryShown(own) && (
                <Link to={own.profileURL} className={styles.see}>
                  See it<VisuallyHidden> at {own.orgName}</VisuallyHidden>
                </Link>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
