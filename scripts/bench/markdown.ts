import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CELL_MAXIMUM } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { renderCell } from '#server/features/cells/render-cell.ts';

// CORPORA_DIR=… npm run bench -- markdown
//
// Inputs that once hung a parser of markdown, and the worst of our own, made twice as long again and again up to the
// longest text: each doubling may take at most three times as long. What is refused before it is parsed takes no time.
// It ends with status 1 when one takes longer.

const MOST_GROWTH = 3;
/** Below this a time is the machine's rather than the text's. */
const LEAST_MS = 20;
const ROUNDS = 5;

const OWN: Readonly<Record<string, string>> = {
  'marks that open': '*a **b ',
  'marks that close': 'a** ',
  brackets: '[a](',
  'brackets in brackets': '![\\[]',
  'ticks of all lengths': '`a ``b ```c ',
  'tags that never end': '<a b="c" ',
  'list items': '- a\n',
  quotations: '> a\n',
  'table rows': '|**a**|[b](c)|\n',
  headings: '### a\n',
  addresses: 'a@b.c https://a.b ',
  definitions: '[a]: b\n\n[a]\n\n',
};

/** @returns whether every doubling is within bounds */
export async function run(): Promise<boolean> {
  let isGood = true;
  for (const [name, unit] of [...Object.entries(OWN), ...corpus()]) {
    const { growth, longest, outcome } = measure(unit);
    const isFine = growth <= MOST_GROWTH;
    isGood &&= isFine;
    console.log(
      `${isFine ? ' ' : '!'} ${name.padEnd(34)} longest ${longest.toFixed(0).padStart(5)} ms  growth ×${growth.toFixed(1)}  ${outcome}`,
    );
  }
  return isGood;
}

/** The texts of the corpus by their names; none where there is no corpus. */
function corpus(): [string, string][] {
  const folder = path.join(process.env.CORPORA_DIR ?? '', 'marked-redos');
  if (process.env.CORPORA_DIR === undefined || !existsSync(folder)) {
    console.log('Without the corpus: set CORPORA_DIR to a folder that has "marked-redos" in it.');
    return [];
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'LICENSE.md');
  return files.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);
}

/** Renders a text that is made twice as long until it is the longest that may be saved, or is refused. */
function measure(unit: string): { growth: number; longest: number; outcome: string } {
  let before = 0;
  let growth = 0;
  let longest = 0;
  for (let length = 500; ; length *= 2) {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.min(length, CELL_MAXIMUM));
    const { time, outcome } = timeOf(text);
    if (before >= LEAST_MS) growth = Math.max(growth, time / before);
    [before, longest] = [time, Math.max(longest, time)];
    if (outcome !== 'rendered' || length >= CELL_MAXIMUM) return { growth, longest, outcome };
  }
}

/** The shortest of some rounds, in milliseconds of the processor: what else the machine does is no matter. */
function timeOf(text: string): { time: number; outcome: string } {
  let time = Number.POSITIVE_INFINITY;
  let outcome = 'rendered';
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = process.cpuUsage();
    const rendered = renderCell({ page: 'home', name: 'intro' }, text);
    const { user, system } = process.cpuUsage(begun);
    time = Math.min(time, (user + system) / 1000);
    if (rendered instanceof Failure) outcome = `refused: ${rendered.code}`;
  }
  return { time, outcome };
}
