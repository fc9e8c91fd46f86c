// @spec decisions.5
import { expect, test } from 'vitest';
import {
  applyReplacement,
  type MarkName,
  markSelection,
  replaceWithPicture,
} from '#web/routes/editor/cells/markdown-field.tsx';

/** Parses text whose selection is between two vertical bars. */
function parseSelection(markedText: string) {
  const start = markedText.indexOf('|');
  const end = markedText.lastIndexOf('|') - 1;
  return { text: markedText.replaceAll('|', ''), start, end: Math.max(start, end) };
}

function applyMark(mark: MarkName, markedText: string): string {
  const initialState = parseSelection(markedText);
  const change = markSelection(mark, initialState);
  const replacedText = applyReplacement(initialState.text, change);
  return `${replacedText.slice(0, change.start)}|${replacedText.slice(change.start, change.end)}|${replacedText.slice(change.end)}`;
}

test.each<[MarkName, string, string]>([
  ['bold', 'We |warm| homes', 'We **|warm|** homes'],
  ['bold', 'We **|warm|** homes', 'We |warm| homes'],
  ['bold', 'We || homes', 'We **|bold words|** homes'],
  ['italic', '|a|', '_|a|_'],
  ['italic', '_|a|_', '|a|'],
  ['link', 'See |our page| now', 'See [our page](|https://|) now'],
  ['link', '||', '[link text](|https://|)'],
  ['heading', 'one\nt|w|o\nthree', 'one\n|### two|\nthree'],
  ['heading', '### t|w|o', '|two|'],
  ['list', 'a|a\nb|b\nc', '|- aa\n- bb|\nc'],
  ['list', '|- aa\n- bb|', '|aa\nbb|'],
  ['list', '||', '|- |'],
])('applies %s to %j', (mark, markedText, expected) => {
  expect(applyMark(mark, markedText)).toBe(expected);
});

const address = '/media/aaaaaaaaaaaaaaaaaaaaaa/640.webp#640x480';
const insertPicture = (markedText: string, description = 'A house') => {
  const initialState = parseSelection(markedText);
  return applyReplacement(initialState.text, replaceWithPicture(initialState, address, description));
};

test('a picture gets its own paragraph', () => {
  expect(insertPicture('||')).toBe(`![A house](${address})\n\n`);
  expect(insertPicture('Before|| after')).toBe(`Before\n\n![A house](${address})\n\n after`);
  expect(insertPicture('Before\n\n||\nAfter')).toBe(`Before\n\n![A house](${address})\nAfter`);
});

test('no picture description can break the markdown', () => {
  expect(insertPicture('||', ' A [house](x) \\\n in snow ')).toBe(`![A \\[house\\](x) \\\\ in snow](${address})\n\n`);
});
