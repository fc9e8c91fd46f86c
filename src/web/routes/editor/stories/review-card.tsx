import type { ReactNode } from 'react';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import { type StoryStatus, shownName } from '#domain/profile.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import { dayText } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './story-editing.module.css';
import { StoryStatusMark } from './story-status.tsx';
import { StoryThumb } from './story-thumb.tsx';
import { StatusButton } from './told-list.tsx';

type ReviewCardProps = {
  offsetter: ReviewedOffsetter;
  busy: boolean;
  onStatus: (status: StoryStatus) => void;
  /** What admins alone do with it: edit and delete. */
  forAdmins?: ReactNode;
  /** Whether it is to be looked at closely: the photo, too. */
  large?: boolean;
  /** The story in its own words. */
  children: ReactNode;
};

/** An offsetter that waits for an editor, or was decided on: its words, and what becomes of it. */
export function ReviewCard({ offsetter, busy, onStatus, forAdmins, large = false, children }: ReviewCardProps) {
  const { name, status, photo, profileURL, refunded } = offsetter;
  return (
    <li className={classNames(styles.row, large && styles.large)}>
      <StoryThumb photo={photo} large={large} />
      <div className={styles.about}>
        <h3 className={styles.name}>{status === 'published' ? <Link to={profileURL}>{name}</Link> : name}</h3>
        <Facts offsetter={offsetter} />
        {children}
        {refunded && <p className={styles.needs}>Its gift was refunded, so it stays hidden.</p>}
      </div>
      <div className={styles.actions}>
        <StatusButton name={name} status={status} busy={busy} isReady={!refunded} onStatus={onStatus} />
        {status === 'draft' && (
          <Button kind="outline" disabled={busy} onClick={() => onStatus('hidden')}>
            Hide<VisuallyHidden> {name}</VisuallyHidden>
          </Button>
        )}
        {forAdmins}
      </div>
    </li>
  );
}

function Facts({ offsetter }: { offsetter: ReviewedOffsetter }) {
  const { name, status, shownAs, email, createdTimestamp } = offsetter;
  return (
    <p className={styles.facts}>
      <StoryStatusMark status={status} word={status === 'draft' ? 'Waiting' : undefined} />
      <span>Told on {dayText(createdTimestamp)}</span>
      {shownAs === 'first' && <span>Shown as “{shownName(name, shownAs)}”</span>}
      <a href={`mailto:${email}`}>{email}</a>
    </p>
  );
}

type AdminButtonsProps = { name: string; editPath: string; busy: boolean; onDelete: () => void };

/** Beside its owner, admins alone edit an offsetter, and they alone delete one (§6). */
export function AdminButtons({ name, editPath, busy, onDelete }: AdminButtonsProps) {
  return (
    <>
      <ButtonLink kind="outline" to={editPath}>
        <Icon name="pencil" /> Edit<VisuallyHidden> {name}</VisuallyHidden>
      </ButtonLink>
      <Button kind="remove" disabled={busy} onClick={onDelete}>
        <Icon name="trash" /> Delete<VisuallyHidden> {name}</VisuallyHidden>
      </Button>
    </>
  );
}
