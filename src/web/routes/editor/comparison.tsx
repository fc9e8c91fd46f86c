import { diffArrays } from 'diff';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './comparison.module.css';

type ComparisonProps = {
  before: string;
  after: string;
  /** Legend for text that is only in `before`. */
  removedMeaning: string;
  /** Legend for text that is only in `after`. */
  addedMeaning: string;
};

/** Shows two texts as one, with the differences marked. */
export function Comparison({ before, after, removedMeaning, addedMeaning }: ComparisonProps) {
  return (
    <div>
      <p className={styles.legend}>
        <del>Red</del>: {removedMeaning} <ins>Green</ins>: {addedMeaning}
      </p>
      <section className={styles.text} aria-label="Comparison">
        {compareTexts(before, after).map(({ kind, text, position }) => {
          if (kind === 'same') return <span key={position}>{text}</span>;
          const ChangeTag = kind === 'removed' ? 'del' : 'ins';
          return (
            <ChangeTag key={position}>
              <VisuallyHidden> [{kind}: </VisuallyHidden>
              {text}
              <VisuallyHidden>] </VisuallyHidden>
            </ChangeTag>
          );
        })}
      </section>
    </div>
  );
}

/** Text that is in one or both versions, and its offset from the start of the comparison in characters. */
type TextPart = { readonly kind: 'same' | 'removed' | 'added'; readonly text: string; readonly position: number };

/** Compares line by line, then word by word within the lines that differ. */
export function compareTexts(before: string, after: string): TextPart[] {
  const lines = diffRuns(splitLines(before), splitLines(after));
  const runs = lines.flatMap((run) =>
    run.isSame ? [run] : joinAcrossBlanks(diffRuns(splitWords(run.before), splitWords(run.after))),
  );
  const parts: TextPart[] = [];
  let position = 0;
  const add = (kind: TextPart['kind'], text: string) => {
    const lastPart = parts.at(-1);
    if (lastPart?.kind === kind) parts[parts.length - 1] = { ...lastPart, text: lastPart.text + text };
    else if (text !== '') parts.push({ kind, text, position });
    position += text.length;
  };
  for (const run of runs) {
    if (run.isSame) add('same', run.before);
    else {
      add('removed', run.before);
      add('added', run.after);
    }
  }
  return parts;
}

/** A passage with more edits is shown as replaced entirely: its diff would be slow to compute and hard to read. */
const MAX_EDITS = 1000;

type Run = { isSame: boolean; before: string; after: string };

function diffRuns(before: string[], after: string[]): Run[] {
  const changes = diffArrays(before, after, { maxEditLength: MAX_EDITS });
  if (!changes) return [{ isSame: false, before: before.join(''), after: after.join('') }];
  return joinRuns(
    changes.map(({ added, removed, value }) => {
      const text = value.join('');
      return { isSame: !added && !removed, before: added ? '' : text, after: removed ? '' : text };
    }),
  );
}

/** Treats spaces between two changes as changed, so that a changed phrase is marked as a whole. */
function joinAcrossBlanks(runs: readonly Run[]): Run[] {
  return joinRuns(
    runs.map((run, index) => {
      const isBetweenChanges = runs[index - 1]?.isSame === false && runs[index + 1]?.isSame === false;
      return isBetweenChanges && run.before.trim() === '' ? { ...run, isSame: false } : run;
    }),
  );
}

function joinRuns(runs: readonly Run[]): Run[] {
  const joinedRuns: Run[] = [];
  for (const run of runs) {
    const lastRun = joinedRuns.at(-1);
    if (lastRun && lastRun.isSame === run.isSame) {
      joinedRuns[joinedRuns.length - 1] = {
        isSame: run.isSame,
        before: lastRun.before + run.before,
        after: lastRun.after + run.after,
      };
    } else joinedRuns.push(run);
  }
  return joinedRuns;
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}
