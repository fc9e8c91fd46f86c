import type { Cell } from '#contract/schemas/cells.ts';
import { isTag } from '#domain/cells.ts';
import { parseFaqHeadings } from '#web/ui/faq-headings.ts';
import { CellText } from '#web/ui/markdown.tsx';
import styles from './cells.module.css';

/** Renders a cell as visitors see it: the tag as a heading, the FAQ with its table of contents (§2). */
export function CellView({ cell }: { cell: Pick<Cell, 'page' | 'name' | 'language' | 'markdown' | 'html'> }) {
  if (isTag(cell)) {
    return (
      <p className={styles.tag} lang={cell.language} data-dark>
        {cell.markdown}
      </p>
    );
  }
  return (
    <>
      {cell.page === 'faq' && <Contents html={cell.html} />}
      <CellText cell={cell} />
    </>
  );
}

function Contents({ html }: { html: string }) {
  const contents = parseFaqHeadings(html);
  if (contents.length === 0) return null;
  return (
    <details className={styles.contents}>
      <summary>
        Table of contents: {contents.length} {contents.length === 1 ? 'question' : 'questions'}
      </summary>
      <ol>
        {contents.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ol>
    </details>
  );
}
