import { pagePath } from '#contract/pages.ts';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import { formatPublicName, type StoryStatus } from '#domain/profile.ts';
import { previewStory } from '#domain/story-preview.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { StoryParagraphs } from '#web/stories/story-article.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { List } from '#web/ui/list-page.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorPage } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { ALL_REVIEWED, type ReviewData, type ReviewedFilter, storiesUrl } from './route.ts';
import styles from './stories.module.css';
import {
  DeleteButton,
  DeleteStoryDialog,
  NoStories,
  StatusButton,
  StorySearch,
  StoryStatusMark,
  StoryThumbnail,
} from './story-parts.tsx';
import { useReviewPage } from './use-review-page.ts';

const STATUS_OPTIONS: readonly { readonly value: ReviewedFilter['status']; readonly label: string }[] = [
  { value: 'decided', label: 'Published and hidden' },
  { value: 'published', label: 'Published' },
  { value: 'hidden', label: 'Hidden' },
];

/** Donors' stories: first the ones to review, then published and hidden ones (decisions §5). */
export function ReviewPage({ org, filter }: OrgPageProps & ReviewData) {
  const { go } = useNavigator();
  const page = useReviewPage(org.id, filter);
  const { review, waitingList, reviewedList, isChanging, storyToDelete, setStoryToDelete, setStatus, remove } = page;
  const canEdit = useCan(org.id)('offsetter.edit');
  const reviewPath = pagePath('review-page', { orgid: org.id });
  const search = (newFilter: ReviewedFilter) =>
    void go(storiesUrl(reviewPath, newFilter, ALL_REVIEWED), { keepScroll: true });
  const isFiltered = filter.status !== 'decided' || filter.query !== '';
  const renderCard = (offsetter: ReviewedOffsetter, isWaiting: boolean) => (
    <ReviewCard
      key={offsetter.id}
      offsetter={offsetter}
      isWaiting={isWaiting}
      canEdit={canEdit}
      busy={isChanging}
      editPath={pagePath('edit-offsetter-page', { orgid: org.id, offsetterid: offsetter.id })}
      onStatusChange={(status) => setStatus({ offsetter, status })}
      onDelete={() => setStoryToDelete(offsetter)}
    />
  );
  return (
    <EditorPage org={org} title="Offsetters" subtitle="Stories by the people who gave.">
      {(review.on || review.waiting > 0) && (
        <section className={styles.section} aria-labelledby="waiting">
          <h2 id="waiting">Waiting for you{review.waiting > 0 && ` (${review.waiting})`}</h2>
          <List {...waitingList} itemNoun="stories to review" empty="No stories to review.">
            {(offsetters) => (
              <ul className={styles.list}>{offsetters.map((offsetter) => renderCard(offsetter, true))}</ul>
            )}
          </List>
        </section>
      )}
      <ReviewNote orgId={org.id} isOn={review.on} />
      <section className={styles.section} aria-labelledby="decided">
        <h2 id="decided">Published and hidden</h2>
        {!canEdit && (
          <p className={styles.note}>To take a story off the site, hide it. Only admins can edit or delete it.</p>
        )}
        <StorySearch
          options={STATUS_OPTIONS}
          filter={filter}
          resultCount={reviewedList.items.length}
          onSearch={search}
        />
        <List
          {...reviewedList}
          itemNoun="offsetters"
          empty={
            <NoStories onShowAll={isFiltered ? () => search(ALL_REVIEWED) : undefined}>
              {isFiltered
                ? 'No offsetter matches this search.'
                : 'No stories yet. Donors can tell theirs after paying.'}
            </NoStories>
          }
        >
          {(offsetters) => (
            <ul className={styles.list}>{offsetters.map((offsetter) => renderCard(offsetter, false))}</ul>
          )}
        </List>
      </section>
      {storyToDelete && (
        <DeleteStoryDialog
          kind="offsetter"
          name={storyToDelete.name}
          note="The gift itself stays. To take the story off the site but keep it, hide it instead."
          onDelete={() => remove(storyToDelete)}
          onClose={() => setStoryToDelete(undefined)}
        />
      )}
    </EditorPage>
  );
}

/** States whether new stories are reviewed, and where to change that setting. */
function ReviewNote({ orgId, isOn }: { orgId: string; isOn: boolean }) {
  const canEdit = useCan(orgId)('org.edit');
  return (
    <p className={styles.note}>
      {isOn
        ? 'New stories wait here until an editor publishes them. We email the author when theirs is published. '
        : 'New stories are published right away. '}
      {canEdit && (
        <>
          {!isOn && 'To review them first, turn on story review: '}
          <Link to={pagePath('org-section-page', { orgid: orgId, section: 'grants' })}>Org settings</Link>
        </>
      )}
    </p>
  );
}

type ReviewCardProps = {
  offsetter: ReviewedOffsetter;
  isWaiting: boolean;
  /** Only admins can edit and delete (§6). */
  canEdit: boolean;
  busy: boolean;
  editPath: string;
  onStatusChange: (status: StoryStatus) => void;
  onDelete: () => void;
};

function ReviewCard({ offsetter, isWaiting, canEdit, busy, editPath, onStatusChange, onDelete }: ReviewCardProps) {
  const { name, story, status, photo, profileURL, refunded, shownAs, email, createdTimestamp } = offsetter;
  const { formatDate } = useDates();
  return (
    <li className={classNames(styles.row, isWaiting && styles.large)}>
      <StoryThumbnail photo={photo} large={isWaiting} />
      <div className={styles.about}>
        <h3 className={styles.name}>{status === 'published' ? <Link to={profileURL}>{name}</Link> : name}</h3>
        <p className={styles.facts}>
          {status !== 'published' && (
            <StoryStatusMark status={status} label={status === 'draft' ? 'Waiting' : undefined} />
          )}
          <span>Submitted {formatDate(createdTimestamp)}</span>
          {shownAs === 'first' && <span>Shown as “{formatPublicName(name, shownAs)}”</span>}
          <a href={`mailto:${email}`}>{email}</a>
        </p>
        {isWaiting ? <StoryText story={story} /> : <StoryExcerpt story={story} name={name} />}
        {refunded && <p className={styles.needs}>Hidden because its gift was refunded.</p>}
      </div>
      <Cluster gap={2} className={styles.actions}>
        <StatusButton name={name} status={status} busy={busy} onStatusChange={onStatusChange} canPublish={!refunded} />
        {status === 'draft' && (
          <Button kind="outline" busy={busy} onClick={() => onStatusChange('hidden')}>
            Hide<VisuallyHidden> {name}</VisuallyHidden>
          </Button>
        )}
        {canEdit && (
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

/** The beginning of a story, with a disclosure that expands to the full text. */
function StoryExcerpt({ story, name }: { story: string; name: string }) {
  const beginning = previewStory(story);
  if (beginning === story) return <StoryText story={story} />;
  return (
    <>
      <p className={styles.text}>{beginning}</p>
      <Disclosure className={styles.fullStory} summary="Read the story" label={`Read the story of ${name}`}>
        <StoryText story={story} />
      </Disclosure>
    </>
  );
}
