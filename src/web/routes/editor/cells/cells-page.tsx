import { useCallback, useState } from 'react';
import { FIRST_LANGUAGE } from '#contract/languages.ts';
import type { Cell } from '#contract/schemas/cells.ts';
import { type CellRef, cellNameIn } from '#domain/cells.ts';
import { LANGUAGES, type Language } from '#messages';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { LeaveDialog, useLeaveGuard } from '#web/ui/confirm-dialog.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { CellCard } from './cell-card.tsx';
import { CELL_PAGE_ENTRIES, type CellEntry, type CellPageEntry } from './cell-labels.ts';
import styles from './cells.module.css';
import type { CellsData } from './route.ts';

/** Every cell of an organization's site, by page and name (§2, Edit site content). */
export function CellsPage({ org, texts }: OrgFrame & CellsData) {
  const cells = useCells(org.id, texts);
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
  const { cellIn, put, unsaved, markUnsaved } = cells;
  const onUnsaved = useCallback(
    (language: Language, isUnsaved: boolean) => markUnsaved(keyIn(entry, language), isUnsaved),
    [markUnsaved, entry],
  );
  const texts = LANGUAGES.flatMap((language) => {
    const cell = cellIn(entry, language);
    // During an upgrade, an older server may not have the cell yet.
    return cell ? [{ language, cell, isUnsaved: unsaved.has(keyIn(entry, language)) }] : [];
  });
  return (
    texts.length > 0 && (
      <CellCard
        orgid={orgid}
        entry={entry}
        texts={texts}
        onUnsaved={onUnsaved}
        pageTitle={page.title}
        onChanged={put}
      />
    )
  );
}

function useCells(orgid: string, texts: CellsData['texts']) {
  const api = useApi();
  const { forget } = useNavigator();
  const [cells, setCells] = useState<ReadonlyMap<string, Cell>>(
    () => new Map(texts.flatMap(({ language, cells: ofOne }) => ofOne.map((cell) => [keyIn(cell, language), cell]))),
  );
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const leaving = useLeaveGuard(unsaved.size > 0);
  const set = (language: Language, cell: Cell) =>
    setCells((before) => new Map(before).set(keyIn(cell, language), cell));
  const put = (language: Language, changed: Cell) => {
    set(language, changed);
    // Pages loaded earlier still have the old text.
    forget();
    if (language === FIRST_LANGUAGE) void readOthers(changed);
  };
  /** Updates the other languages that show the English text because they have none. */
  const readOthers = async ({ page, name }: Cell) => {
    for (const language of LANGUAGES.slice(1)) {
      const params = { orgid, page, name: cellNameIn(name, language) };
      // The text of before stays if it cannot be read: saving it is refused then.
      await api.call('readCell', { params }).then(
        (cell) => set(language, cell),
        () => undefined,
      );
    }
  };
  const markUnsaved = useCallback((key: string, isUnsaved: boolean) => {
    setUnsaved((before) => {
      if (before.has(key) === isUnsaved) return before;
      const others = [...before].filter((name) => name !== key);
      return new Set(isUnsaved ? [...others, key] : others);
    });
  }, []);
  const cellIn = (cell: CellRef, language: Language) => cells.get(keyIn(cell, language));
  return { cellIn, put, unsaved, markUnsaved, leaving };
}

function keyIn({ page, name }: CellRef, language: Language): string {
  return `${page}/${cellNameIn(name, language)}`;
}
