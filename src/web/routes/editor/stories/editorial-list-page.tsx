import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { EditorialStory } from '#contract/schemas/editorial-stories.ts';
import { formatDollars } from '#domain/money.ts';
import type { StoryStatus } from '#domain/profile.ts';
import type { EditorialKind } from '#domain/story-publication.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorArea } from '../editor-frame.tsx';
import { STAGE_LABELS } from '../grants/grant-labels.ts';
import { grantsUrl } from '../grants/route.ts';
import { useDates } from '../use-dates.ts';
import { useRowChange } from '../use-row-change.ts';
import {
  describeStatus,
  editPath,
  findMissingParts,
  formatRequirements,
  KIND_LABELS,
  listPath,
  STATUS_LABELS,
} from './editorial-story.ts';
import {
  ALL_STORIES,
  createEditorialApi,
  type EditorialFilter,
  type EditorialListData,
  editorialListQuery,
  NEW_STORY,
  storiesUrl,
} from './route.ts';
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

const STATUS_OPTIONS: readonly { readonly value: EditorialFilter['status']; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'draft', label: STATUS_LABELS.draft },
  { value: 'published', label: STATUS_LABELS.published },
  { value: 'hidden', label: STATUS_LABELS.hidden },
];

/** An organization's awardees or installers, including drafts and hidden ones. */
export function EditorialListPage({ org, kind, filter }: OrgPageProps & EditorialListData) {
  const labels = KIND_LABELS[kind];
  const { go } = useNavigator();
  const { list, isChanging, storyToDelete, setStoryToDelete, setStatus, remove } = useEditorialList(
    kind,
    org.id,
    filter,
  );
  const { items } = list;
  const search = (newFilter: EditorialFilter) =>
    void go(storiesUrl(listPath(kind, org.id), newFilter, ALL_STORIES), { keepScroll: true });
  const isFiltered = filter.status !== 'all' || filter.query !== '';
  return (
    <EditorArea org={org}>
      <ListPage
        {...list}
        title={labels.plural}
        subtitle={labels.lead}
        actions={
          <ButtonLink kind="action" to={editPath(kind, org.id, NEW_STORY)}>
            <Icon name="plus" /> Add {labels.singular}
          </ButtonLink>
        }
        above={
          <>
            {kind === 'awardee' && org.noAwardees && <NoAwardeesNote orgId={org.id} />}
            {(items.length > 0 || isFiltered) && (
              <StorySearch options={STATUS_OPTIONS} filter={filter} resultCount={items.length} onSearch={search} />
            )}
          </>
        }
        itemNoun={labels.plural.toLowerCase()}
        empty={
          <NoStories onShowAll={isFiltered ? () => search(ALL_STORIES) : undefined}>
            {isFiltered ? `No ${labels.singular} matches this search.` : labels.empty}
          </NoStories>
        }
      >
        {(stories) => (
          <ul className={styles.list}>
            {stories.map((story) => (
              <EditorialRow
                key={story.id}
                orgId={org.id}
                story={story}
                kind={kind}
                busy={isChanging}
                editPath={editPath(kind, org.id, story.id)}
                onStatusChange={(status) => setStatus({ story, status })}
                onDelete={() => setStoryToDelete(story)}
              />
            ))}
          </ul>
        )}
      </ListPage>
      {storyToDelete && (
        <DeleteStoryDialog
          kind={labels.singular}
          name={storyToDelete.name}
          note="To take it off the site but keep it, hide it instead."
          onDelete={() => remove(storyToDelete)}
          onClose={() => setStoryToDelete(undefined)}
        />
      )}
    </EditorArea>
  );
}

function NoAwardeesNote({ orgId }: { orgId: string }) {
  const canEdit = useCan(orgId)('org.edit');
  return (
    <p className={styles.note}>
      Awardees are turned off: visitors see “How to apply” instead.{' '}
      {canEdit && <Link to={pagePath('org-page', { orgid: orgId })}>Turn on Show awardees in Org settings</Link>}
    </p>
  );
}

type EditorialRowProps = Pick<EditorialListData, 'kind'> & {
  orgId: string;
  story: EditorialStory;
  busy: boolean;
  editPath: string;
  onStatusChange: (status: StoryStatus) => void;
  onDelete: () => void;
};

function EditorialRow({ orgId, story, kind, busy, editPath: path, onStatusChange, onDelete }: EditorialRowProps) {
  const { name, status, photo, profileURL, createdTimestamp, grants } = story;
  const missingParts = findMissingParts(kind, story);
  const { formatDate } = useDates();
  return (
    <li className={styles.row}>
      <StoryThumbnail photo={photo} />
      <div className={styles.about}>
        <h2 className={styles.name}>{status === 'published' ? <Link to={profileURL}>{name}</Link> : name}</h2>
        <p className={styles.facts}>
          {status !== 'published' && <StoryStatusMark status={status} />}
          <span>Added {formatDate(createdTimestamp)}</span>
          {grants.map(({ id, stage, amount }) => (
            <Link key={id} to={grantsUrl(orgId, { homeId: story.id, openGrantId: id })}>
              Grant: {formatDollars(amount)}, {STAGE_LABELS[stage].label.toLowerCase()}
            </Link>
          ))}
        </p>
        {status !== 'published' && missingParts.length > 0 && (
          <p className={styles.needs}>Needs {formatRequirements(missingParts)} before it can be published.</p>
        )}
      </div>
      <Cluster gap={2} className={styles.actions}>
        <StatusButton
          name={name}
          status={status}
          busy={busy}
          onStatusChange={onStatusChange}
          canPublish={missingParts.length === 0}
        />
        <ButtonLink kind="outline" to={path}>
          <Icon name="pencil" /> Edit<VisuallyHidden> {name}</VisuallyHidden>
        </ButtonLink>
        <DeleteButton name={name} busy={busy} onDelete={onDelete} />
      </Cluster>
    </li>
  );
}

type StatusChange = { readonly story: EditorialStory; readonly status: StoryStatus; readonly isUndo?: boolean };

function useEditorialList(kind: EditorialKind, orgId: string, filter: EditorialFilter) {
  const api = useApi();
  const storyApi = createEditorialApi(api, kind, orgId);
  const toast = useToast();
  const [storyToDelete, setStoryToDelete] = useState<EditorialStory>();
  const list = useList(editorialListQuery(api, kind, orgId, filter));
  const { isChanging, changeRow: setStatus } = useRowChange<StatusChange>(async ({ story, status, isUndo }) => {
    const newStory = await storyApi.setStatus(story.id, status);
    // Keeps the row even if the filter no longer matches, so that the user sees the change.
    list.put(newStory);
    const undo = isUndo ? undefined : { story: newStory, status: story.status, isUndo: true };
    return { message: describeStatus(newStory.name, newStory.status), undo };
  });
  const remove = async (story: EditorialStory) => {
    await storyApi.remove(story.id);
    list.put(story, 'remove');
    setStoryToDelete(undefined);
    toast(`${story.name} is deleted`);
  };
  return { list, isChanging, storyToDelete, setStoryToDelete, setStatus, remove };
}
