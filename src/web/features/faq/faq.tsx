import type { Cell } from '#contract/schemas/cells.ts';
import { faqContents } from '#domain/faq.ts';
import { CellText } from '../../ui/markdown.tsx';
import hiding from '../../ui/visually-hidden.module.css';
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
      <section>
        {/* The headings of the cell are of the third level: those who go by headings find the second here. */}
        <h2 className={hiding.hidden}>Questions and answers</h2>
        <CellText html={questions.html} className={styles.answers} />
      </section>
    </div>
  );
}
