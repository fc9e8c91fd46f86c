import type { ReactNode } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { ReviewedOffsetter } from '#contract/schemas/review.ts';
import { storyPreview } from '#domain/profile.ts';
import { Link } from '#web/navigation/link.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { storyParagraphs } from '#web/stories/story-article.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyNote, ListFoot } from '#web/ui/list-parts.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { useFocusKept } from '../use-focus-kept.ts';
import { DeleteStoryDialog } from './delete-story-dialog.tsx';
import { AdminButtons, ReviewCard } from './review-card.tsx';
import type { ReviewData } from './route.ts';
import styles from './story-editing.module.css';
import { StorySearch } from './story-search.tsx';
import { type DecidedStanding, useReviewPage } from './use-review-page.ts';

const STANDINGS: readonly { readonly value: DecidedStanding; readonly label: string }[] = [
  { value: 'decided', label: 'Published and hidden' },
  { value: 'published', label: 'Published' },
  { value: 'hidden', label: 'Hidden' },
];

/** The stories of those who gave: what waits for an editor, and what was published or hidden (decisions §5). */
export function ReviewPage(props: OrgFrame & ReviewData) {
  const { org, review } = props;
  const page = useReviewPage(props);
  const { waiting, decided, count, changing, deleting, setDeleting, setStatus, remove, isAdmin } = page;
  useFocusKept(`${waiting.items.length} ${decided.items.length}`);
  const card = (offsetter: ReviewedOffsetter, large: boolean, words: ReactNode) => (
    <ReviewCard
      key={offsetter.id}
      offsetter={offsetter}
      busy={changing}
      large={large}
      onStatus={(status) => void setStatus(offsetter, status)}
      forAdmins={
        isAdmin && (
          <AdminButtons
            name={offsetter.name}
            busy={changing}
            editPath={pagePath('edit-offsetter-page', { orgid: org.id, offsetterid: offsetter.id })}
            onDelete={() => setDeleting(offsetter)}
          />
        )
      }
    >
      {words}
    </ReviewCard>
  );
  return (
    <EditorFrame org={org} title="Offsetters" lead="The stories of those who gave, told by themselves.">
      {(review.on || count > 0) && (
        <section className={styles.section} aria-labelledby="waiting">
          <h2 id="waiting">Waiting for you{count > 0 && ` (${count})`}</h2>
          {waiting.items.length === 0 ? (
            <EmptyNote>No story waits.</EmptyNote>
          ) : (
            <ul className={styles.list}>
              {waiting.items.map((offsetter) => card(offsetter, true, <Words story={offsetter.story} />))}
            </ul>
          )}
          <ListFoot {...waiting} what="stories that wait" onMore={() => void waiting.loadMore()} />
        </section>
      )}
      <ReviewHint org={org} on={review.on} />
      <section className={styles.section} aria-labelledby="decided">
        <h2 id="decided">Published and hidden</h2>
        <StorySearch
          options={STANDINGS}
          search={decided.query}
          busy={decided.busy}
          onSearch={(search) => void decided.search(search)}
        />
        {decided.items.length === 0 ? (
          <NoneDecided
            onAll={
              decided.query.standing === 'decided' && decided.query.query === ''
                ? undefined
                : () => void decided.search({ standing: 'decided', query: '' })
            }
          />
        ) : (
          <ul className={styles.list}>
            {decided.items.map((offsetter) => card(offsetter, false, <Excerpt {...offsetter} />))}
          </ul>
        )}
        <ListFoot {...decided} what="offsetters" onMore={() => void decided.loadMore()} />
        {!isAdmin && (
          <p className={styles.note}>
            Only admins can delete an offsetter, or edit one for its owner. To take a story off the site, hide it.
          </p>
        )}
      </section>
      {deleting && (
        <DeleteStoryDialog
          what="offsetter"
          name={deleting.name}
          note="The gift itself stays. To take the story off the site and keep it, hide it."
          onDelete={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </EditorFrame>
  );
}

/** How stories come to be looked at before they are shown, or no more. */
function ReviewHint({ org, on }: { org: OrgFrame['org']; on: boolean }) {
  return (
    <p className={styles.note}>
      {on
        ? 'New stories wait here until an editor publishes them; whoever told one is then told by mail. '
        : 'New stories are published at once. To look at them first, turn on the review of stories: '}
      <Link to={pagePath('org-page', { orgid: org.id })}>Org settings</Link>
    </p>
  );
}

function NoneDecided({ onAll }: { onAll: (() => void) | undefined }) {
  return (
    <EmptyNote>
      <p>
        {onAll ? 'No offsetter has this status and name.' : 'No stories yet. Whoever gives can tell one after paying.'}
      </p>
      {onAll && (
        <Button kind="quiet" onClick={onAll}>
          Show all
        </Button>
      )}
    </EmptyNote>
  );
}

function Words({ story }: { story: string }) {
  return (
    <div className={styles.words}>
      {storyParagraphs(story).map(({ key, text }) => (
        <p key={key}>{text}</p>
      ))}
    </div>
  );
}

/** The beginning of a story, and the whole of it for whoever wants to read on. */
function Excerpt({ story, name }: ReviewedOffsetter) {
  const beginning = storyPreview(story);
  if (beginning === story) return <Words story={story} />;
  return (
    <>
      <p className={styles.words}>{beginning}</p>
      <details className={styles.whole}>
        <summary aria-label={`Read the story of ${name}`}>Read the story</summary>
        <Words story={story} />
      </details>
    </>
  );
}
