import type { Cell } from '#contract/schemas/cells.ts';
import { faqContents } from '#domain/faq.ts';
import { CellText } from '#web/ui/markdown.tsx';
import hiding from '#web/ui/visually-hidden.module.css';
import styles from './faq.module.css';

type FaqProps = {
  questions: Pick<Cell, 'markdown' | 'html'>;
  /** Where the page is found, as it stands on paper. */
  address: string;
};

/** The questions in a numbered table of contents, made from the headings that start with ###, then all of it (§2). */
export function Faq({ questions, address }: FaqProps) {
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
        <p className={styles.source}>{address}</p>
      </section>
    </div>
  );
}
