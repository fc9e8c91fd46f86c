import type { Cell } from '#contract/schemas/cells.ts';
import { isTag } from '#domain/cells.ts';
import { faqContents } from '#domain/faq.ts';
import { CellText } from '#web/ui/markdown.tsx';
import styles from './shown-text.module.css';

/** A text as visitors see it: the tag as the heading that it is, the FAQ with its table of contents (§2). */
export function ShownText({ text }: { text: Pick<Cell, 'page' | 'name' | 'markdown' | 'html'> }) {
  if (isTag(text)) {
    return (
      <p className={styles.tag} data-dark>
        {text.markdown}
      </p>
    );
  }
  return (
    <>
      {text.page === 'faq' && <Contents markdown={text.markdown} />}
      <CellText html={text.html} />
    </>
  );
}

/** What goes into the FAQ's table of contents, numbered as it is there. */
function Contents({ markdown }: { markdown: string }) {
  const contents = faqContents(markdown);
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
