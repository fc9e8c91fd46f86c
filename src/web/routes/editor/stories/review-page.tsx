import { pagePath } from '#contract/pages.ts';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import { type StoryStatus, shownName, storyPreview } from '#domain/profile.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { StoryParagraphs } from '#web/stories/story-article.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { EmptyNote, ListFoot } from '#web/ui/list-parts.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import type { ReviewData } from './route.ts';
import styles from './stories.module.css';
import {
  DeleteButton,
  DeleteStoryDialog,
  NoStories,
  StatusButton,
  StorySearch,
  StoryStatusMark,
  StoryThumb,
} from './story-parts.tsx';
import { DECIDED, type DecidedStatus, useReviewPage } from './use-review-page.ts';

const OPTIONS: readonly { readonly value: DecidedStatus; readonly label: string }[] = [
  { value: 'decided', label: 'Published and hidden' },
  { value: 'published', label: 'Published' },
  { value: 'hidden', label: 'Hidden' },
];

/** The stories of donors: those waiting for review, then those published or hidden (decisions §5). */
export function ReviewPage(props: OrgFrame & ReviewData) {
  const { org, review } = props;
  const page = useReviewPage(props);
  const { waiting, decided, count, changing, deleting, setDeleting, setStatus, remove, isAdmin } = page;
  const canSet = useCan(org.id)('org.edit');
  useFocusAfterRemoval(waiting.items);
  useFocusAfterRemoval(decided.items);
  const isFiltered = decided.query.status !== 'decided' || decided.query.query !== '';
  const card = (offsetter: ReviewedOffsetter, isWaiting: boolean) => (
    <ReviewCard
      key={offsetter.id}
      offsetter={offsetter}
      isWaiting={isWaiting}
      isAdmin={isAdmin}
      busy={changing}
      editPath={pagePath('edit-offsetter-page', { orgid: org.id, offsetterid: offsetter.id })}
      onStatus={(status) => void setStatus(offsetter, status)}
      onDelete={() => setDeleting(offsetter)}
    />
  );
  return (
    <EditorFrame org={org} title="Offsetters" lead="Stories by the people who gave.">
      {(review.on || count > 0) && (
        <section className={styles.section} aria-labelledby="waiting">
          <h2 id="waiting">Waiting for you{count > 0 && ` (${count})`}</h2>
          {waiting.items.length === 0 ? (
            <EmptyNote>No stories to review.</EmptyNote>
          ) : (
            <ul className={styles.list}>{waiting.items.map((offsetter) => card(offsetter, true))}</ul>
          )}
          <ListFoot {...waiting} what="stories to review" onMore={() => void waiting.loadMore()} />
        </section>
      )}
      <p className={styles.note}>
        {review.on
          ? 'New stories wait here until an editor publishes them. We email the author when theirs is published. '
          : 'New stories are published right away. '}
        {canSet && (
          <>
            {!review.on && 'To review them first, turn on story review: '}
            <Link to={pagePath('org-page', { orgid: org.id })}>Org settings</Link>
          </>
        )}
      </p>
      <section className={styles.section} aria-labelledby="decided">
        <h2 id="decided">Published and hidden</h2>
        <StorySearch
          options={OPTIONS}
          filter={decided.query}
          busy={decided.busy}
          found={decided.items.length}
          onSearch={(filter) => void decided.search(filter)}
        />
        {decided.items.length === 0 ? (
          <NoStories onShowAll={isFiltered ? () => void decided.search(DECIDED) : undefined}>
            {isFiltered ? 'No offsetter matches this search.' : 'No stories yet. Donors can tell theirs after paying.'}
          </NoStories>
        ) : (
          <ul className={styles.list}>{decided.items.map((offsetter) => card(offsetter, false))}</ul>
        )}
        <ListFoot {...decided} what="offsetters" onMore={() => void decided.loadMore()} />
        {!isAdmin && (
          <p className={styles.note}>To take a story off the site, hide it. Only admins can edit or delete it.</p>
        )}
      </section>
      {deleting && (
        <DeleteStoryDialog
          kind="offsetter"
          name={deleting.name}
          note="The gift itself stays. To take the story off the site but keep it, hide it instead."
          onDelete={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </EditorFrame>
  );
}

type ReviewCardProps = {
  offsetter: ReviewedOffsetter;
  isWaiting: boolean;
  /** Only admins can edit and delete (§6). */
  isAdmin: boolean;
  busy: boolean;
  editPath: string;
  onStatus: (status: StoryStatus) => void;
  onDelete: () => void;
};

function ReviewCard({ offsetter, isWaiting, isAdmin, busy, editPath, onStatus, onDelete }: ReviewCardProps) {
  const { name, story, status, photo, profileURL, refunded, shownAs, email, createdTimestamp } = offsetter;
  const { dateText } = useDates();
  return (
    <li className={classNames(styles.row, isWaiting && styles.large)}>
      <StoryThumb photo={photo} large={isWaiting} />
      <div className={styles.about}>
        <h3 className={styles.name}>{status === 'published' ? <Link to={profileURL}>{name}</Link> : name}</h3>
        <p className={styles.facts}>
          <StoryStatusMark status={status} label={status === 'draft' ? 'Waiting' : undefined} />
          <span>Submitted {dateText(createdTimestamp)}</span>
          {shownAs === 'first' && <span>Shown as “{shownName(name, shownAs)}”</span>}
          <a href={`mailto:${email}`}>{email}</a>
        </p>
        {isWaiting ? <StoryText story={story} /> : <Excerpt story={story} name={name} />}
        {refunded && <p className={styles.needs}>Hidden because its gift was refunded.</p>}
      </div>
      <Cluster gap={2} className={styles.actions}>
        <StatusButton name={name} status={status} busy={busy} onStatus={onStatus} canPublish={!refunded} />
        {status === 'draft' && (
          <Button kind="outline" disabled={busy} onClick={() => onStatus('hidden')}>
            Hide<VisuallyHidden> {name}</VisuallyHidden>
          </Button>
        )}
        {isAdmin && (
          <>
            <ButtonLink kind="outline" to={editPath}>
              <Icon name="pencil" /> Edit<VisuallyHidden> {name}</VisuallyHidden>
            </ButtonLink>
            <DeleteButton name={name} busy={busy} onDelete={onDelete} />
          </>
        )}
      </Cluster>
    </li>
  );
}

function StoryText({ story }: { story: string }) {
  return (
    <div className={styles.text}>
      <StoryParagraphs story={story} />
    </div>
  );
}

/** The beginning of a story, and all of it on request. */
function Excerpt({ story, name }: { story: string; name: string }) {
  const beginning = storyPreview(story);
  if (beginning === story) return <StoryText story={story} />;
  return (
    <>
      <p className={styles.text}>{beginning}</p>
      <details className={styles.whole}>
        <summary aria-label={`Read the story of ${name}`}>Read the story</summary>
        <StoryText story={story} />
      </details>
    </>
  );
}
