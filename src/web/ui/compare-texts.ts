/** A part of two texts: in both, only in the first, or only in the second. */
export type TextPart = { readonly kind: 'same' | 'gone' | 'new'; readonly text: string };
/** A part, and where it begins in all of them together. */
export type PlacedPart = TextPart & { readonly at: number };

/** Above this many comparisons a part counts as replaced as a whole: nobody reads so many differences. */
const MOST_COMPARISONS = 4_000_000;

/** What differs between two texts: first line by line, then word by word within the lines that differ. */
export function compareTexts(before: string, after: string): PlacedPart[] {
  const parts = compareLists(linesOf(before), linesOf(after)).flatMap(({ kind, before: gone, after: fresh }) => {
    if (kind === 'same') return [{ kind, text: gone.join('') }] as const;
    return smoothed(compareLists(wordsOf(gone.join('')), wordsOf(fresh.join('')))).flatMap(partsOf);
  });
  let at = 0;
  return joined(parts).map((part) => {
    const placed = { ...part, at };
    at += part.text.length;
    return placed;
  });
}

type Run = { readonly kind: 'same' | 'changed'; readonly before: readonly string[]; readonly after: readonly string[] };

function partsOf({ kind, before, after }: Run): TextPart[] {
  if (kind === 'same') return [{ kind, text: before.join('') }];
  const all: TextPart[] = [
    { kind: 'gone', text: before.join('') },
    { kind: 'new', text: after.join('') },
  ];
  return all.filter(({ text }) => text !== '');
}

/** Blanks between two changes belong to them: who reads wants the words that changed, and not each for itself. */
function smoothed(runs: readonly Run[]): Run[] {
  const marked = runs.map((run, place): Run => {
    const isBlank = run.kind === 'same' && run.before.join('').trim() === '';
    const isBetween = runs[place - 1]?.kind === 'changed' && runs[place + 1]?.kind === 'changed';
    return isBlank && isBetween ? { ...run, kind: 'changed' } : run;
  });
  return withJoinedChanges(marked);
}

/** Parts of the same kind that follow each other as one. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const all: TextPart[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last?.kind === part.kind) all[all.length - 1] = { kind: last.kind, text: last.text + part.text };
    else all.push(part);
  }
  return all;
}

/** Lines with the ends that they have. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Words, and what stands between them. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

/** Runs that are the same in both lists, and between them what differs. */
function compareLists(before: readonly string[], after: readonly string[]): Run[] {
  const head = sameAtStart(before, after);
  const tail = sameAtStart(before.slice(head).reverse(), after.slice(head).reverse());
  const [gone, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const same = (list: readonly string[]): Run => ({ kind: 'same', before: list, after: list });
  const runs = [same(before.slice(0, head)), ...middle(gone, fresh), same(before.slice(before.length - tail))];
  return runs.filter((run) => run.before.length + run.after.length > 0);
}

function sameAtStart(one: readonly string[], other: readonly string[]): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1;
  return count;
}

/** Step by step through both lists, along what they have in common. */
function middle(before: readonly string[], after: readonly string[]): Run[] {
  if (before.length * after.length > MOST_COMPARISONS) return [{ kind: 'changed', before, after }];
  const longest = commonLengths(before, after);
  const width = after.length + 1;
  const steps: Run[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [gone, fresh] = [before.slice(i, i + 1), after.slice(j, j + 1)];
    const isSame = gone.length > 0 && gone[0] === fresh[0];
    const goesOnBefore = gone.length > 0 && at(longest, (i + 1) * width + j) >= at(longest, i * width + j + 1);
    const isGone = !isSame && (fresh.length === 0 || goesOnBefore);
    if (isSame) steps.push({ kind: 'same', before: gone, after: fresh });
    else steps.push({ kind: 'changed', before: isGone ? gone : [], after: isGone ? [] : fresh });
    i += isSame || isGone ? 1 : 0;
    j += isGone ? 0 : 1;
  }
  return withJoinedChanges(steps);
}

/** Changes that follow each other as one. */
function withJoinedChanges(runs: readonly Run[]): Run[] {
  const all: Run[] = [];
  let change: { kind: 'changed'; before: string[]; after: string[] } | undefined;
  for (const run of runs) {
    if (run.kind === 'same') {
      change = undefined;
      all.push(run);
      continue;
    }
    if (!change) {
      change = { kind: 'changed', before: [], after: [] };
      all.push(change);
    }
    change.before.push(...run.before);
    change.after.push(...run.after);
  }
  return all;
}

/** At i × (after + 1) + j: how much the rests of both lists from i and from j on have in common, in their order. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        before[i] === after[j]
          ? at(longest, (i + 1) * width + j + 1) + 1
          : Math.max(at(longest, (i + 1) * width + j), at(longest, i * width + j + 1));
    }
  }
  return longest;
}

function at(list: Uint32Array, index: number): number {
  return list[index] ?? 0;
}
