import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CELL_MAXIMUM } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { renderText } from '#server/gateways/texts/render-text.ts';

// CORPORA_DIR=… npm run bench -- markdown
//
// Inputs that once hung a Markdown parser, and our own worst ones, doubled repeatedly up to the maximum length: each
// doubling may take at most three times as long. Exits with 1 when one takes longer.

const MAX_GROWTH = 3;
const NOISE_MS = 20;
const ROUNDS = 5;

const OWN: Readonly<Record<string, string>> = {
  'opening marks': '*a **b ',
  'closing marks': 'a** ',
  brackets: '[a](',
  'brackets in brackets': '![\\[]',
  'backticks of all lengths': '`a ``b ```c ',
  'unclosed tags': '<a b="c" ',
  'list items': '- a\n',
  quotes: '> a\n',
  'table rows': '|**a**|[b](c)|\n',
  'empty table rows': '|\n-\n',
  headings: '### a\n',
  'headings of blanks': '### a                               b',
  links: 'a@b.c https://a.b ',
  definitions: '[a]: b\n\n[a]\n\n',
};

/** @returns whether every doubling is within the limit */
export async function run(): Promise<boolean> {
  let isGood = true;
  for (const [name, unit] of [...Object.entries(OWN), ...corpus()]) {
    const { growth, longest, outcome } = measure(unit);
    const isFine = growth <= MAX_GROWTH;
    isGood &&= isFine;
    console.log(
      `${isFine ? ' ' : '!'} ${name.padEnd(34)} longest ${longest.toFixed(0).padStart(5)} ms  growth ×${growth.toFixed(1)}  ${outcome}`,
    );
  }
  return isGood;
}

/** The corpus by file name; empty without CORPORA_DIR. */
function corpus(): [string, string][] {
  const folder = path.join(process.env.CORPORA_DIR ?? '', 'marked-redos');
  if (process.env.CORPORA_DIR === undefined || !existsSync(folder)) {
    console.log('No corpus: set CORPORA_DIR to a folder that contains "marked-redos".');
    return [];
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'LICENSE.md');
  return files.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]);
}

/** Renders a text of doubling length until it is refused or has the maximum length. */
function measure(unit: string): { growth: number; longest: number; outcome: string } {
  let before = 0;
  let growth = 0;
  let longest = 0;
  for (let length = 500; ; length *= 2) {
    const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, Math.min(length, CELL_MAXIMUM));
    const { time, outcome } = timeOf(text);
    if (before >= NOISE_MS) growth = Math.max(growth, time / before);
    [before, longest] = [time, Math.max(longest, time)];
    if (outcome !== 'rendered' || length >= CELL_MAXIMUM) return { growth, longest, outcome };
  }
}

/** The shortest of some rounds in CPU milliseconds, so that other load does not matter. */
function timeOf(text: string): { time: number; outcome: string } {
  let time = Number.POSITIVE_INFINITY;
  let outcome = 'rendered';
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.cpuUsage();
    const rendered = renderText(text);
    const { user, system } = process.cpuUsage(start);
    time = Math.min(time, (user + system) / 1000);
    if (rendered instanceof Failure) outcome = `refused: ${rendered.code}`;
  }
  return { time, outcome };
}
