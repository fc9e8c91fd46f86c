import { CELLS, isCellPage } from './cells.ts';
import { Failure } from './failures.ts';
import { formatWhole } from './money.ts';
import { tagFailure, tidyTag } from './org.ts';

/** The most characters of an editable text: four times the longest default. */
export const TEXT_MAXIMUM = 30_000;
/** How deep lists, quotations and emphasis may stand in each other. Nobody reads more, and a renderer recurses. */
export const NESTING_MAXIMUM = 50;
/** The most lines of lists and quotations in a text, a line of a list in a list counted twice. */
export const ITEMS_MAXIMUM = 1000;
/** The most marks, such as * or [, in one paragraph or table. */
export const MARKS_MAXIMUM = 1500;

/** Which editable text is meant (§2), as it comes: it need not exist. */
export type TextKey = { readonly page: string; readonly name: string };

/** Whether §2 lists such a text. */
export function isCell({ page, name }: TextKey): boolean {
  const names: readonly string[] = isCellPage(page) ? CELLS[page] : [];
  return names.includes(name);
}

/** The one cell that is plain words of one line: home/tag, which is the organisation's tag (decisions §1). */
export function isTag({ page, name }: TextKey): boolean {
  return page === 'home' && name === 'tag';
}

/** A text as it is kept: the same ends of lines everywhere. */
export function tidyText(key: TextKey, text: string): string {
  return isTag(key) ? tidyTag(text) : withPlainLines(text);
}

/** Why a text cannot be saved. @returns Failure text-empty, text-too-long, tag-too-long */
export function textFailure(key: TextKey, text: string): Failure | undefined {
  if (text.trim() === '') return new Failure('text-empty');
  if (isTag(key)) return tagFailure(text);
  // Of units of the machine, not of what a person sees as one: it bounds the work of rendering.
  const over = text.length - TEXT_MAXIMUM;
  if (over <= 0) return undefined;
  return new Failure('text-too-long', { most: formatWhole(TEXT_MAXIMUM), over: formatWhole(over) });
}

/** A text whose lines end by `\n` alone: whatever sends a form makes `\r\n` of each. */
export function withPlainLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
