import { diffArrays } from 'diff';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './comparison.module.css';

type ComparisonProps = {
  before: string;
  after: string;
  /** Legend for text that is only in `before`. */
  removed: string;
  /** Legend for text that is only in `after`. */
  added: string;
};

/** Shows two texts as one, with the differences marked. */
export function Comparison({ before, after, removed, added }: ComparisonProps) {
  return (
    <div>
      <p className={styles.legend}>
        <del>Red</del>: {removed} <ins>Green</ins>: {added}
      </p>
      <section className={styles.text} aria-label="Comparison">
        {compareTexts(before, after).map(({ kind, text, at }) => {
          if (kind === 'same') return <span key={at}>{text}</span>;
          const Change = kind === 'removed' ? 'del' : 'ins';
          return (
            <Change key={at}>
              <VisuallyHidden> [{kind}: </VisuallyHidden>
              {text}
              <VisuallyHidden>] </VisuallyHidden>
            </Change>
          );
        })}
      </section>
    </div>
  );
}

/** Text that is in one or both versions, and its offset from the start of the comparison in characters. */
type TextPart = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string; readonly at: number };

/** Compares line by line, then word by word within the lines that differ. */
export function compareTexts(before: string, after: string): TextPart[] {
  const lines = diffRuns(linesOf(before), linesOf(after));
  const runs = lines.flatMap((run) =>
    run.same ? [run] : joinAcrossBlanks(diffRuns(wordsOf(run.before), wordsOf(run.after))),
  );
  const parts: TextPart[] = [];
  let at = 0;
  const add = (kind: TextPart['kind'], text: string) => {
    const last = parts.at(-1);
    if (last?.kind === kind) parts[parts.length - 1] = { ...last, text: last.text + text };
    else if (text !== '') parts.push({ kind, text, at });
    at += text.length;
  };
  for (const run of runs) {
    if (run.same) add('same', run.before);
    else {
      add('removed', run.before);
      add('added', run.after);
    }
  }
  return parts;
}

/** A passage with more edits is shown as replaced. So many edits would be slow to compute and hard to read. */
const MAX_EDITS = 1000;

type Run = { same: boolean; before: string; after: string };

function diffRuns(before: string[], after: string[]): Run[] {
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS });
  if (!changes) return [{ same: false, before: before.join(''), after: after.join('') }];
  return joinRuns(
    changes.map(({ added, removed, value }) => {
      const text = value.join('');
      return { same: !added && !removed, before: added ? '' : text, after: removed ? '' : text };
    }),
  );
}

/** Treats spaces between two changes as changed, so that a changed phrase is marked as a whole. */
function joinAcrossBlanks(runs: readonly Run[]): Run[] {
  return joinRuns(
    runs.map((run, index) => {
      const isBetweenChanges = runs[index - 1]?.same === false && runs[index + 1]?.same === false;
      return isBetweenChanges && run.before.trim() === '' ? { ...run, same: false } : run;
    }),
  );
}

function joinRuns(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  for (const run of runs) {
    const last = all.at(-1);
    if (last && last.same === run.same) {
      all[all.length - 1] = { same: run.same, before: last.before + run.before, after: last.after + run.after };
    } else all.push(run);
  }
  return all;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}
