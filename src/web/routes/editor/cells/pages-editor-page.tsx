import { useCallback } from 'react';
import type { OrgFrame } from '#web/site/page.ts';
import { LeaveDialog } from '#web/ui/confirm-dialog.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { CellCard } from './cell-card.tsx';
import styles from './pages-editor-page.module.css';
import type { CellsData } from './route.ts';
import { ShownText } from './shown-text.tsx';
import { type PageEntry, TEXT_PAGES, type TextEntry } from './text-words.ts';
import { usePagesEditorPage } from './use-pages-editor-page.ts';

/** Every text of an organisation's site, by page and name, each with its pencil (§2, Edit site content). */
export function PagesEditorPage({ org, cells }: OrgFrame & CellsData) {
  const texts = usePagesEditorPage({ cells });
  const { leave, stay } = texts.leaving;
  return (
    <EditorFrame
      org={org}
      title="Edit site content"
      lead="Every text of your site. Press a pencil to change one; visitors see it as soon as you save."
    >
      <nav aria-label="Pages with texts" className={styles.contents}>
        <ul>
          {TEXT_PAGES.map(({ page, title }) => (
            <li key={page}>
              <a href={`#texts-${page}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      {TEXT_PAGES.map((entry) => (
        <section key={entry.page} className={styles.page} aria-labelledby={`texts-${entry.page}`}>
          <h2 id={`texts-${entry.page}`}>{entry.title}</h2>
          {entry.texts.map((text) => (
            <TextOfPage key={text.name} orgid={org.id} page={entry} entry={text} texts={texts} />
          ))}
        </section>
      ))}
      <LeaveDialog leave={leave} stay={stay} />
    </EditorFrame>
  );
}

type TextOfPageProps = {
  orgid: string;
  page: PageEntry;
  entry: TextEntry;
  texts: ReturnType<typeof usePagesEditorPage>;
};

/** Nothing where an older server does not know the text yet. */
function TextOfPage({ orgid, page, entry, texts }: TextOfPageProps) {
  const { api, tell, cellOf, change, noteUnsaved } = texts;
  const noted = useCallback((isUnsaved: boolean) => noteUnsaved(entry, isUnsaved), [noteUnsaved, entry]);
  const cell = cellOf(entry);
  if (!cell) return null;
  return (
    <CellCard
      {...{ api, orgid, entry, cell, tell }}
      pageTitle={page.title}
      show={(text) => <ShownText text={text} />}
      onChanged={change}
      onUnsaved={noted}
    />
  );
}
