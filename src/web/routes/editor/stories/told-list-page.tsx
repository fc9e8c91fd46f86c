import { pagePath } from '#contract/pages.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { Link } from '#web/navigation/link.tsx';
import type { OrgFrame } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { EmptyNote, ListFoot } from '#web/ui/list-parts.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { useFocusKept } from '../use-focus-kept.ts';
import { DeleteStoryDialog } from './delete-story-dialog.tsx';
import { NEW_STORY, type ToldListData } from './route.ts';
import styles from './story-editing.module.css';
import { StorySearch } from './story-search.tsx';
import { ToldRow } from './told-list.tsx';
import { toldPath } from './told-paths.ts';
import { STATUS_WORDS, TOLD_WORDS } from './told-words.ts';
import { type ToldStanding, useToldListPage } from './use-told-list-page.ts';

const STANDINGS: readonly { readonly value: ToldStanding; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: STATUS_WORDS.draft },
  { value: 'published', label: STATUS_WORDS.published },
  { value: 'hidden', label: STATUS_WORDS.hidden },
];

type ToldListPageProps = OrgFrame & ToldListData & { kind: EditorialKind };

/** What editors see of their awardees, or of their installers, shown or not. */
export function ToldListPage({ kind, ...data }: ToldListPageProps) {
  const { org } = data;
  const words = TOLD_WORDS[kind];
  const { part, changing, deleting, setDeleting, setStatus, remove } = useToldListPage(kind, data);
  const { items, hasMore, query, busy, problem, search, loadMore } = part;
  useFocusKept(items);
  const isFiltered = query.standing !== 'all' || query.query !== '';
  return (
    <EditorFrame
      org={org}
      title={words.many}
      lead={words.lead}
      actions={
        <ButtonLink kind="action" to={toldPath(kind, org.id, NEW_STORY)}>
          <Icon name="plus" /> Add {words.one}
        </ButtonLink>
      }
    >
      {kind === 'awardee' && org.noAwardees && (
        <p className={styles.note}>
          The site shows no awardees just now, but what is to come.{' '}
          <Link to={pagePath('org-page', { orgid: org.id })}>Show awardees in the Org settings</Link>
        </p>
      )}
      {(items.length > 0 || isFiltered) && (
        <StorySearch options={STANDINGS} search={query} busy={busy} onSearch={(next) => void search(next)} />
      )}
      {items.length === 0 ? (
        <Nothing
          words={isFiltered ? `No ${words.one} has this status and name.` : words.empty}
          onAll={isFiltered ? () => void search({ standing: 'all', query: '' }) : undefined}
        />
      ) : (
        <ul className={styles.list}>
          {items.map((story) => (
            <ToldRow
              key={story.id}
              story={story}
              kind={kind}
              busy={changing}
              editPath={toldPath(kind, org.id, story.id)}
              onStatus={(status) => void setStatus(story, status)}
              onDelete={() => setDeleting(story)}
            />
          ))}
        </ul>
      )}
      <ListFoot
        hasMore={hasMore}
        busy={busy}
        problem={problem}
        what={words.many.toLowerCase()}
        onMore={() => void loadMore()}
      />
      {deleting && (
        <DeleteStoryDialog
          what={words.one}
          name={deleting.name}
          note="To take it off the site and keep it, hide it."
          onDelete={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </EditorFrame>
  );
}

/** What stands in the place of a list that is empty, and the way out of a search that finds nothing. */
function Nothing({ words, onAll }: { words: string; onAll: (() => void) | undefined }) {
  return (
    <EmptyNote>
      <p>{words}</p>
      {onAll && (
        <Button kind="quiet" onClick={onAll}>
          Show all
        </Button>
      )}
    </EmptyNote>
  );
}
