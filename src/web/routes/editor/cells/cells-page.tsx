import { useCallback, useState } from 'react';
import type { Cell } from '#contract/schemas/cells.ts';
import type { CellRef } from '#domain/cells.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { LeaveDialog, useLeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { CellCard } from './cell-card.tsx';
import { CELL_PAGE_ENTRIES, type CellEntry, type CellPageEntry } from './cell-labels.ts';
import styles from './cells.module.css';
import type { CellsData } from './route.ts';

/** Every cell of an organization's site, by page and name (§2, Edit site content). */
export function CellsPage({ org, cells: loaded }: OrgFrame & CellsData) {
  const cells = useCells(loaded);
  const { leave, stay } = cells.leaving;
  return (
    <EditorFrame
      org={org}
      title="Edit site content"
      lead="All the text on your site. Click Edit to change it; visitors see the change as soon as you save."
    >
      <nav aria-label="Pages" className={styles.pages}>
        <ul>
          {CELL_PAGE_ENTRIES.map(({ page, title }) => (
            <li key={page}>
              <a href={`#cells-${page}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      {CELL_PAGE_ENTRIES.map((entry) => (
        <section key={entry.page} className={styles.page} aria-labelledby={`cells-${entry.page}`}>
          <h2 id={`cells-${entry.page}`}>{entry.title}</h2>
          {entry.cells.map((cell) => (
            <CellOfPage key={cell.name} orgid={org.id} page={entry} entry={cell} cells={cells} />
          ))}
        </section>
      ))}
      <LeaveDialog leave={leave} stay={stay} />
    </EditorFrame>
  );
}

type CellOfPageProps = {
  orgid: string;
  page: CellPageEntry;
  entry: CellEntry;
  cells: ReturnType<typeof useCells>;
};

function CellOfPage({ orgid, page, entry, cells }: CellOfPageProps) {
  const { cellOf, put, markUnsaved } = cells;
  const onUnsaved = useCallback((isUnsaved: boolean) => markUnsaved(entry, isUnsaved), [markUnsaved, entry]);
  const cell = cellOf(entry);
  // During an upgrade, an older server may not have the cell yet.
  if (!cell) return null;
  return <CellCard {...{ orgid, entry, cell, onUnsaved }} pageTitle={page.title} onChanged={put} />;
}

function useCells(loaded: readonly Cell[]) {
  const { forget } = useNavigator();
  const [cells, setCells] = useState(loaded);
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const leaving = useLeaveGuard(unsaved.size > 0);
  const put = (changed: Cell) => {
    setCells((before) => before.map((cell) => (nameOf(cell) === nameOf(changed) ? changed : cell)));
    // Pages loaded earlier still have the old text.
    forget();
  };
  const markUnsaved = useCallback((key: CellRef, isUnsaved: boolean) => {
    setUnsaved((before) => {
      if (before.has(nameOf(key)) === isUnsaved) return before;
      const others = [...before].filter((name) => name !== nameOf(key));
      return new Set(isUnsaved ? [...others, nameOf(key)] : others);
    });
  }, []);
  const cellOf = (key: CellRef) => cells.find((cell) => nameOf(cell) === nameOf(key));
  return { cellOf, put, markUnsaved, leaving };
}

function nameOf({ page, name }: CellRef): string {
  return `${page}/${name}`;
}
