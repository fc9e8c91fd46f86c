import { useSuspenseQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { type CellRef, storedCellName } from '#domain/cells.ts';
import { LANGUAGES, type Language } from '#messages';
import { FormPage } from '#web/forms/form-page.tsx';
import { useLeaveGuard } from '#web/forms/leave-guard.tsx';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { ItemList } from '#web/ui/layout.tsx';
import { EditorArea } from '../editor-frame.tsx';
import { CELL_PAGE_ENTRIES, type CellEntry, type CellPageEntry } from './cell-labels.ts';
import { CellRow } from './cell-row.tsx';
import styles from './cells.module.css';
import { cellsQuery } from './route.ts';
import { type CellDraft, type ChangeDraft, isDraftUnsaved, isSameCell } from './use-cell-edit.ts';

/** All cells of an organization's site, by page and name (§2, Edit site content). */
export function CellsPage({ org }: OrgPageProps) {
  const cells = useCells(org.id);
  return (
    <EditorArea org={org}>
      <FormPage
        title="Edit site content"
        subtitle="All the text on your site. Click Edit to change it; visitors see the change as soon as you save."
        leaveGuard={cells.leaveGuard}
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
            <ItemList>
              {entry.cells.map((cell) => (
                <PageCell key={cell.name} orgId={org.id} page={entry} entry={cell} cells={cells} />
              ))}
            </ItemList>
          </section>
        ))}
      </FormPage>
    </EditorArea>
  );
}

type PageCellProps = {
  orgId: string;
  page: CellPageEntry;
  entry: CellEntry;
  cells: ReturnType<typeof useCells>;
};

function PageCell({ orgId, page, entry, cells }: PageCellProps) {
  const { findCell, drafts, changeDraft } = cells;
  const texts = LANGUAGES.flatMap((language) => {
    const cell = findCell(entry, language);
    const key = getCellKey(entry, language);
    // During an upgrade, an older server may not have the cell yet.
    return cell ? [{ language, cell, draft: drafts[key], changeDraft: changeDraft(key) }] : [];
  });
  return (
    texts.length > 0 && (
      <li>
        <CellRow orgId={orgId} entry={entry} texts={texts} pageTitle={page.title} />
      </li>
    )
  );
}

function useCells(orgId: string) {
  const api = useApi();
  const texts = useSuspenseQueries({ queries: LANGUAGES.map((language) => cellsQuery(api, orgId, language)) });
  const [drafts, setDrafts] = useState<Readonly<Record<string, CellDraft | undefined>>>({});
  const leaveGuard = useLeaveGuard(Object.values(drafts).some(isDraftUnsaved));
  const changeDraft =
    (key: string): ChangeDraft =>
    (change) =>
      setDrafts((previous) => ({ ...previous, [key]: change(previous[key]) }));
  const findCell = (cell: CellRef, language: Language) =>
    texts[LANGUAGES.indexOf(language)]?.data.find((candidate) => isSameCell(candidate, cell));
  return { findCell, drafts, changeDraft, leaveGuard };
}

function getCellKey({ page, name }: CellRef, language: Language): string {
  return `${page}/${storedCellName(name, language)}`;
}
