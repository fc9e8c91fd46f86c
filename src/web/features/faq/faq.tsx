import type { Cell } from '#contract/schemas/cells.ts';
import { faqContents } from '#domain/faq.ts';
import { CellText } from '../../ui/markdown.tsx';
import styles from './faq.module.css';

/** The questions in a numbered table of contents, made from the headings that start with ###, then all of it (§2). */
export function Faq({ questions }: { questions: Pick<Cell, 'markdown' | 'html'> }) {
  const contents = faqContents(questions.markdown);
  return (
    <div className={styles.faq}>
      {contents.length > 0 && (
        <nav aria-label="Table of contents" className={styles.contents}>
          <ol>
            {contents.map(({ id, text }) => (
              <li key={id}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <CellText html={questions.html} className={styles.answers} />
    </div>
  );
}
