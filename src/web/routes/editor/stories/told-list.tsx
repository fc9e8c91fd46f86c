import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { dayText } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './story-editing.module.css';
import { StoryStatusMark } from './story-status.tsx';
import { StoryThumb } from './story-thumb.tsx';
import { needsOf, needWords } from './told-words.ts';

type ToldRowProps = {
  story: EditorialStory;
  kind: EditorialKind;
  busy: boolean;
  /** The address of the page on which it is edited. */
  editPath: string;
  onStatus: (status: StoryStatus) => void;
  onDelete: () => void;
};

/** An awardee or an installer among those that editors look after; on a telephone a card. */
export function ToldRow({ story, kind, busy, editPath, onStatus, onDelete }: ToldRowProps) {
  const { name, status, photo, profileURL, createdTimestamp } = story;
  const needs = needsOf(kind, story);
  return (
    <li className={styles.row}>
      <StoryThumb photo={photo} />
      <div className={styles.about}>
        <h2 className={styles.name}>{status === 'published' ? <Link to={profileURL}>{name}</Link> : name}</h2>
        <p className={styles.facts}>
          <StoryStatusMark status={status} />
          <span>Added on {dayText(createdTimestamp)}</span>
        </p>
        {status !== 'published' && needs.length > 0 && (
          <p className={styles.needs}>To be published it still needs {needWords(needs)}.</p>
        )}
      </div>
      <div className={styles.actions}>
        <StatusButton name={name} status={status} busy={busy} isReady={needs.length === 0} onStatus={onStatus} />
        <ButtonLink kind="outline" to={editPath}>
          <Icon name="pencil" /> Edit<VisuallyHidden> {name}</VisuallyHidden>
        </ButtonLink>
        <Button kind="remove" disabled={busy} onClick={onDelete}>
          <Icon name="trash" /> Delete<VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      </div>
    </li>
  );
}

type StatusButtonProps = {
  name: string;
  status: StoryStatus;
  busy: boolean;
  /** Whether nothing is missing for it to be published. */
  isReady: boolean;
  onStatus: (status: StoryStatus) => void;
};

/** Publishes with one press, or hides with one. */
export function StatusButton({ name, status, busy, isReady, onStatus }: StatusButtonProps) {
  const isPublished = status === 'published';
  if (!isPublished && !isReady) return null;
  return (
    <Button
      kind={isPublished ? 'outline' : 'dark'}
      disabled={busy}
      onClick={() => onStatus(isPublished ? 'hidden' : 'published')}
    >
      {isPublished ? 'Hide' : 'Publish'}
      <VisuallyHidden> {name}</VisuallyHidden>
    </Button>
  );
}
