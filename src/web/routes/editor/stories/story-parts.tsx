import type { Picture } from '#contract/schemas/shared.ts';
import type { StoryStatus } from '#domain/profile.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { StatusMark, type Tone } from '#web/ui/list-parts.tsx';
import { buildSrcSet } from '#web/ui/picture-sources.ts';
import { pluralize } from '#web/ui/pluralize.ts';
import { SearchForm } from '#web/ui/search-form.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useStateFrom } from '#web/ui/use-state-from.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { STATUS_LABELS } from './editorial-story.ts';
import type { StoryFilter } from './route.ts';
import styles from './stories.module.css';

type StorySearchProps<Status extends string> = {
  options: readonly { readonly value: Status; readonly label: string }[];
  filter: StoryFilter<Status>;
  /** Number of results, announced to screen readers. */
  resultCount: number;
  onSearch: (filter: StoryFilter<Status>) => void;
};

export function StorySearch<Status extends string>(props: StorySearchProps<Status>) {
  const { options, filter, resultCount, onSearch } = props;
  const { status } = filter;
  const [query, setQuery] = useStateFrom(filter.query);
  const chooseStatus = (value: string) => {
    const option = options.find((candidate) => candidate.value === value);
    if (option) onSearch({ status: option.value, query: query.trim() });
  };
  return (
    <SearchForm
      className={styles.search}
      onSearch={() => onSearch({ status, query: query.trim() })}
      status={
        <output>
          <VisuallyHidden>{pluralize(resultCount, 'story', 'stories')} shown</VisuallyHidden>
        </output>
      }
    >
      <TextField
        label="Name"
        type="search"
        maxLength={100}
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <Button type="submit" kind="outline">
        <Icon name="search" /> Search
      </Button>
      <SelectField
        inline
        className={styles.filter}
        label="Show"
        options={options}
        value={status}
        onChange={({ currentTarget }) => chooseStatus(currentTarget.value)}
      />
    </SearchForm>
  );
}

/** Shown instead of an empty list, with a button that clears the search. */
export function NoStories({ children, onShowAll }: { children: string; onShowAll: (() => void) | undefined }) {
  return (
    <>
      <p>{children}</p>
      {onShowAll && (
        <Button kind="quiet" onClick={onShowAll}>
          Show all
        </Button>
      )}
    </>
  );
}

export function StoryThumbnail({ photo, large = false }: { photo: Picture | null; large?: boolean }) {
  const width = large ? 220 : 96;
  return (
    <div className={styles.thumb}>
      {photo ? (
        <img
          src={photo.url}
          srcSet={buildSrcSet(photo)}
          sizes={`${width}px`}
          width={width}
          height={width}
          alt=""
          loading="lazy"
        />
      ) : (
        <Icon name="camera" />
      )}
    </div>
  );
}

const TONES: Readonly<Record<StoryStatus, Tone>> = { draft: 'waiting', published: 'done', hidden: 'plain' };

type StoryStatusMarkProps = { status: StoryStatus; label?: string | undefined };

export function StoryStatusMark({ status, label = STATUS_LABELS[status] }: StoryStatusMarkProps) {
  return <StatusMark tone={TONES[status]}>{label}</StatusMark>;
}

type StatusButtonProps = {
  name: string;
  status: StoryStatus;
  busy: boolean;
  canPublish: boolean;
  onStatusChange: (status: StoryStatus) => void;
};

export function StatusButton({ name, status, busy, canPublish, onStatusChange }: StatusButtonProps) {
  const isPublished = status === 'published';
  if (!isPublished && !canPublish) return null;
  return (
    <Button
      kind={isPublished ? 'outline' : 'dark'}
      busy={busy}
      onClick={() => onStatusChange(isPublished ? 'hidden' : 'published')}
    >
      {isPublished ? 'Hide' : 'Publish'}
      <VisuallyHidden> {name}</VisuallyHidden>
    </Button>
  );
}

export function DeleteButton({ name, busy, onDelete }: { name: string; busy: boolean; onDelete: () => void }) {
  return (
    <Button kind="quiet" disabled={busy} onClick={onDelete}>
      <Icon name="trash" /> Delete<VisuallyHidden> {name}</VisuallyHidden>
    </Button>
  );
}

type DeleteStoryDialogProps = {
  /** "awardee" */
  kind: string;
  name: string;
  /** Consequences of deleting, or an alternative. */
  note: string;
  onDelete: () => Promise<void>;
  onClose: () => void;
};

export function DeleteStoryDialog({ kind, name, note, onDelete, onClose }: DeleteStoryDialogProps) {
  return (
    <ConfirmDialog title={`Delete ${kind}`} confirmLabel="Delete" destructive onConfirm={onDelete} onClose={onClose}>
      <p>
        This deletes the story and photo of {name}. It can’t be undone. {note}
      </p>
    </ConfirmDialog>
  );
}
