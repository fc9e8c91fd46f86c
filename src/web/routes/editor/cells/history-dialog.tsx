import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import type { Cell, CellVersion } from '#contract/schemas/cells.ts';
import { getLanguageName } from '#domain/cell-titles.ts';
import { splitCellName } from '#domain/cells.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { listQuery } from '#web/api/queries.ts';
import { flattenPages } from '#web/api/use-list.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListFooter } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Comparison } from '../comparison.tsx';
import { useDates } from '../use-dates.ts';
import styles from './cells.module.css';
import { parseNewerText, type TextParams, useUndoableChange, useUpdateCell } from './use-cell-edit.ts';

type HistoryDialogProps = {
  title: string;
  params: TextParams;
  cell: Cell;
  onClose: () => void;
};

/** Lists earlier versions of a cell, compares them with the current one, and restores them. */
export function HistoryDialog({ title, params, cell, onClose }: HistoryDialogProps) {
  const api = useApi();
  const updateCell = useUpdateCell(params);
  const announceChange = useUndoableChange(params);
  const { items, problem, reload, footerProps } = useVersions(params);
  const [selectedId, setSelectedId] = useState<string>();
  const selectedVersion =
    items?.find(({ id }) => id === selectedId) ?? items?.find((item) => item.markdown !== cell.markdown);
  const restore = async ({ markdown }: CellVersion) => {
    try {
      const body = { markdown, basedOn: cell.markdown };
      const restoredCell = await api.call('saveCell', { params, body });
      announceChange(cell.markdown, restoredCell, 'Earlier text restored. The change is live.');
      onClose();
    } catch (error) {
      if (!parseNewerText(error)) throw error;
      updateCell(await api.call('readCell', { params }));
      await reload();
      throw error;
    }
  };
  const { run, busy, problem: saveProblem } = useAttempt();
  const { language } = splitCellName(params.name);
  const firstVersionLabel =
    language === DEFAULT_LANGUAGE ? 'Default text' : `Before the first ${getLanguageName(language)} text`;
  const canRestore = selectedVersion !== undefined && selectedVersion.markdown !== cell.markdown;
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Close
      </Button>
      <Button
        busy={busy}
        disabled={!canRestore}
        onClick={() => selectedVersion && void run(() => restore(selectedVersion))}
      >
        Restore
      </Button>
    </>
  );
  return (
    <Dialog title={`History: ${title}`} wide onClose={() => !busy && onClose()} footer={footer}>
      {items?.length === 0 && <p>This is the default text. It hasn’t been changed yet.</p>}
      {items === undefined && problem === undefined && <p>Loading…</p>}
      {items && items.length > 0 && (
        <div className={styles.columns}>
          <VersionList
            items={items}
            cell={cell}
            defaultTextLabel={firstVersionLabel}
            selectedVersion={selectedVersion}
            onChoose={setSelectedId}
          >
            <ListFooter {...footerProps} />
          </VersionList>
          <div className={styles.detail}>
            {canRestore ? (
              <Comparison
                before={cell.markdown}
                after={selectedVersion.markdown}
                removedMeaning="will be removed."
                addedMeaning="will be restored."
              />
            ) : (
              <p>This is the current text.</p>
            )}
          </div>
        </div>
      )}
      {problem !== undefined && (
        <div role="alert" className={styles.failed}>
          <p>{problem}</p>
          <Button kind="outline" onClick={() => void reload()}>
            Try again
          </Button>
        </div>
      )}
      <Problem>{saveProblem}</Problem>
    </Dialog>
  );
}

type VersionListProps = {
  items: readonly CellVersion[];
  cell: Cell;
  /** Label of the default text. */
  defaultTextLabel: string;
  selectedVersion: CellVersion | undefined;
  onChoose: (id: string) => void;
  children: ReactNode;
};

function VersionList({ items, cell, defaultTextLabel, selectedVersion, onChoose, children }: VersionListProps) {
  const { formatDateTime } = useDates();
  const currentVersion = items.find(({ markdown }) => markdown === cell.markdown);
  return (
    <div className={styles.versions}>
      <ol aria-label="Versions">
        {items.map((item) => (
          <li key={item.id}>
            <button type="button" aria-pressed={item.id === selectedVersion?.id} onClick={() => onChoose(item.id)}>
              <span className={styles.when}>{formatDateTime(item.createdTimestamp)}</span>
              <span className={styles.who}>
                {item.savedBy ?? (item.isDefault ? defaultTextLabel : 'Unknown editor')}
                {item.isDefault && item.savedBy !== null && ', reset'}
                {item === currentVersion && ' – current'}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {children}
    </div>
  );
}

function useVersions(params: TextParams) {
  const query = useInfiniteQuery(listQuery(useApi(), 'readCellVersions', { params }));
  const problem = query.error ? failureMessage(query.error) : undefined;
  const isMoreMissing = query.isFetchNextPageError;
  return {
    /** Newest first; undefined while loading. */
    items: query.data && flattenPages(query.data.pages),
    problem: isMoreMissing ? undefined : problem,
    reload: query.refetch,
    footerProps: {
      hasMore: query.hasNextPage,
      busy: query.isFetchingNextPage,
      problem: isMoreMissing ? problem : undefined,
      itemNoun: 'versions',
      onMore: () => void query.fetchNextPage({ cancelRefetch: false }),
    },
  };
}
