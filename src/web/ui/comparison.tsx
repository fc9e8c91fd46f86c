import { compareTexts } from './compare-texts.ts';
import styles from './comparison.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';

type ComparisonProps = {
  before: string;
  after: string;
  /** What a part means that only one of them has. */
  gone: string;
  fresh: string;
};

/** Two texts as one: what only the first has is struck out, what only the second has is marked. */
export function Comparison({ before, after, gone, fresh }: ComparisonProps) {
  const parts = compareTexts(before, after);
  return (
    <div>
      <p className={styles.legend}>
        <del>Struck out</del>: {gone} <ins>Marked</ins>: {fresh}
      </p>
      <section className={styles.text} aria-label="Comparison">
        {parts.map(({ kind, text, at }) => {
          if (kind === 'same') return <span key={at}>{text}</span>;
          const Change = kind === 'gone' ? 'del' : 'ins';
          return (
            <Change key={at}>
              <VisuallyHidden>{kind === 'gone' ? ' [struck out: ' : ' [marked: '}</VisuallyHidden>
              {text}
              <VisuallyHidden>] </VisuallyHidden>
            </Change>
          );
        })}
      </section>
    </div>
  );
}
