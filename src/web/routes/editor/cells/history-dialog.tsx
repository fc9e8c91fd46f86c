import { type ReactNode, useState } from 'react';
import type { Cell, CellVersion } from '#contract/schemas/cells.ts';
import type { ApiClient } from '#web/api/client.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Comparison } from '#web/ui/comparison.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './history-dialog.module.css';
import { momentText, writerText } from './text-words.ts';
import { newerText } from './use-cell-edit.ts';
import { useVersions } from './use-versions.ts';

type HistoryDialogProps = {
  api: ApiClient;
  orgid: string;
  title: string;
  cell: Cell;
  /** Told of the text that stands now, and what to say of it. */
  onChanged: (cell: Cell, words: string | undefined) => void;
  onClose: () => void;
};

/** What a text was before, each with who and when: to be compared with what stands now, and restored. */
export function HistoryDialog({ api, orgid, title, cell, onChanged, onClose }: HistoryDialogProps) {
  const params = { orgid, page: cell.page, name: cell.name };
  const { items, nextCursor, problem, load } = useVersions(api, params);
  const [chosenId, choose] = useState<string>();
  const { busy, problem: refused, run } = useAttempt();
  const chosen = items?.find(({ id }) => id === chosenId) ?? items?.find((item) => item.markdown !== cell.markdown);
  const restore = async ({ markdown }: CellVersion) => {
    try {
      const body = { markdown, basedOn: cell.markdown };
      onChanged(await api.call('saveCell', { params, body }), 'The earlier text is back. Visitors see it now.');
      onClose();
    } catch (error) {
      if (!newerText(error)) throw error;
      onChanged(await api.call('readCell', { params }), undefined);
      await load();
      throw error;
    }
  };
  const canRestore = chosen !== undefined && chosen.markdown !== cell.markdown;
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Close
      </Button>
      <Button busy={busy} disabled={!canRestore} onClick={() => chosen && void run(() => restore(chosen))}>
        Restore
      </Button>
    </>
  );
  return (
    <Dialog title={`History: ${title}`} open wide onClose={() => !busy && onClose()} footer={footer}>
      {items?.length === 0 && <p>This is the standard text. Nobody has changed it yet.</p>}
      {items === undefined && problem === undefined && <p>Loading…</p>}
      {items && items.length > 0 && (
        <div className={styles.columns}>
          <VersionList items={items} cell={cell} chosen={chosen} onChoose={choose}>
            {nextCursor !== undefined && (
              <Button kind="outline" onClick={() => void load(nextCursor)}>
                Load more
              </Button>
            )}
          </VersionList>
          <div className={styles.detail}>
            {canRestore ? (
              <Comparison
                before={cell.markdown}
                after={chosen.markdown}
                gone="stands now, and would go."
                fresh="would come back."
              />
            ) : (
              <p>This is the text that stands now.</p>
            )}
          </div>
        </div>
      )}
      {problem !== undefined && (
        <div role="alert" className={styles.failed}>
          <p>{problem}</p>
          <Button kind="outline" onClick={() => void load()}>
            Try again
          </Button>
        </div>
      )}
      <Problem>{refused}</Problem>
    </Dialog>
  );
}

type VersionListProps = {
  items: readonly CellVersion[];
  cell: Cell;
  chosen: CellVersion | undefined;
  onChoose: (id: string) => void;
  children: ReactNode;
};

function VersionList({ items, cell, chosen, onChoose, children }: VersionListProps) {
  const now = items.find(({ markdown }) => markdown === cell.markdown);
  return (
    <div className={styles.list}>
      <ol aria-label="Versions">
        {items.map((item) => (
          <li key={item.id}>
            <button type="button" aria-pressed={item.id === chosen?.id} onClick={() => onChoose(item.id)}>
              <span className={styles.when}>{momentText(item.createdTimestamp)}</span>
              <span className={styles.who}>
                {item.isDefault && item.savedBy === null ? 'The standard text' : writerText(item.savedBy)}
                {item.isDefault && item.savedBy !== null && ', reset'}
                {item === now && ' – stands now'}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {children}
    </div>
  );
}
