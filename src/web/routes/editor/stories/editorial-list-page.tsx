import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { ListFoot } from '#web/ui/list-parts.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { useDates } from '../use-dates.ts';
import { useRowChange } from '../use-row-change.ts';
import { editPath, KIND_LABELS, needsOf, needsText, STATUS_LABELS, statusSentence } from './editorial-story.ts';
import { type EditorialListData, editorialCalls, NEW_STORY } from './route.ts';
import styles from './stories.module.css';
import {
  DeleteButton,
  DeleteStoryDialog,
  NoStories,
  StatusButton,
  type StoryFilter,
  StorySearch,
  StoryStatusMark,
  StoryThumb,
} from './story-parts.tsx';

type Filter = StoryFilter<StoryStatus | 'all'>;

const ALL: Filter = { status: 'all', query: '' };

const OPTIONS: readonly { readonly value: Filter['status']; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: STATUS_LABELS.draft },
  { value: 'published', label: STATUS_LABELS.published },
  { value: 'hidden', label: STATUS_LABELS.hidden },
];

/** The awardees or the installers of an organization, with drafts and hidden ones, for its editors. */
export function EditorialListPage(data: OrgFrame & EditorialListData) {
  const { org, kind } = data;
  const labels = KIND_LABELS[kind];
  const { list, changing, deleting, setDeleting, setStatus, remove } = useEditorialList(data);
  const { items, query: filter, search } = list;
  const canSet = useCan(org.id)('org.edit');
  useFocusAfterRemoval(items);
  const isFiltered = filter.status !== 'all' || filter.query !== '';
  return (
    <EditorFrame
      org={org}
      title={labels.plural}
      lead={labels.lead}
      actions={
        <ButtonLink kind="action" to={editPath(kind, org.id, NEW_STORY)}>
          <Icon name="plus" /> Add {labels.singular}
        </ButtonLink>
      }
    >
      {kind === 'awardee' && org.noAwardees && (
        <p className={styles.note}>
          Awardees are turned off: visitors see “How to apply” instead.{' '}
          {canSet && <Link to={pagePath('org-page', { orgid: org.id })}>Turn on Show awardees in Org settings</Link>}
        </p>
      )}
      {(items.length > 0 || isFiltered) && (
        <StorySearch
          options={OPTIONS}
          filter={filter}
          busy={list.busy}
          found={items.length}
          onSearch={(next) => void search(next)}
        />
      )}
      {items.length === 0 ? (
        <NoStories onShowAll={isFiltered ? () => void search(ALL) : undefined}>
          {isFiltered ? `No ${labels.singular} matches this search.` : labels.empty}
        </NoStories>
      ) : (
        <ul className={styles.list}>
          {items.map((story) => (
            <EditorialRow
              key={story.id}
              story={story}
              kind={kind}
              busy={changing}
              editPath={editPath(kind, org.id, story.id)}
              onStatus={(status) => void setStatus(story, status)}
              onDelete={() => setDeleting(story)}
            />
          ))}
        </ul>
      )}
      <ListFoot {...list} what={labels.plural.toLowerCase()} onMore={() => void list.loadMore()} />
      {deleting && (
        <DeleteStoryDialog
          kind={labels.singular}
          name={deleting.name}
          note="To take it off the site but keep it, hide it instead."
          onDelete={() => remove(deleting)}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </EditorFrame>
  );
}

type EditorialRowProps = Pick<EditorialListData, 'kind'> & {
  story: EditorialStory;
  busy: boolean;
  editPath: string;
  onStatus: (status: StoryStatus) => void;
  onDelete: () => void;
};

function EditorialRow({ story, kind, busy, editPath: path, onStatus, onDelete }: EditorialRowProps) {
  const { name, status, photo, profileURL, createdTimestamp } = story;
  const needs = needsOf(kind, story);
  const { dateText } = useDates();
  return (
    <li className={styles.row}>
      <StoryThumb photo={photo} />
      <div className={styles.about}>
        <h2 className={styles.name}>{status === 'published' ? <Link to={profileURL}>{name}</Link> : name}</h2>
        <p className={styles.facts}>
          <StoryStatusMark status={status} />
          <span>Added {dateText(createdTimestamp)}</span>
        </p>
        {status !== 'published' && needs.length > 0 && (
          <p className={styles.needs}>Needs {needsText(needs)} before it can be published.</p>
        )}
      </div>
      <Cluster gap={2} className={styles.actions}>
        <StatusButton name={name} status={status} busy={busy} onStatus={onStatus} canPublish={needs.length === 0} />
        <ButtonLink kind="outline" to={path}>
          <Icon name="pencil" /> Edit<VisuallyHidden> {name}</VisuallyHidden>
        </ButtonLink>
        <DeleteButton name={name} busy={busy} onDelete={onDelete} />
      </Cluster>
    </li>
  );
}

function useEditorialList({ kind, org, list: first }: OrgFrame & EditorialListData) {
  const calls = editorialCalls(useApi(), kind, org.id);
  const toast = useToast();
  const navigator = useNavigator();
  const { busy: changing, change } = useRowChange();
  const [deleting, setDeleting] = useState<EditorialStory>();
  const list = useList<EditorialStory, Filter>({
    first,
    query: ALL,
    load: ({ status, query }, cursorRef) =>
      calls.list({
        ...(status === 'all' ? {} : { status }),
        ...(query === '' ? {} : { query }),
        ...(cursorRef === undefined ? {} : { cursorRef }),
      }),
  });
  const setStatus = (story: EditorialStory, status: StoryStatus, isUndo = false) =>
    change(
      () => void setStatus(story, status, isUndo),
      async () => {
        const changed = await calls.setStatus(story.id, status);
        // It stays listed even if the filter no longer matches, so that the change can be seen.
        list.put(changed);
        navigator.forget();
        const undo = { label: 'Undo', run: () => void setStatus(changed, story.status, true) };
        toast(statusSentence(changed.name, changed.status), isUndo ? undefined : undo);
      },
    );
  const remove = async ({ id, name }: EditorialStory) => {
    await calls.remove(id);
    list.remove(id);
    navigator.forget();
    setDeleting(undefined);
    toast(`${name} is deleted`);
  };
  return { list, changing, deleting, setDeleting, setStatus, remove };
}
