// @spec decisions.5
import { expect, test } from 'vitest';
import { type MarkName, markSelection, replaced, withPicture } from '#web/routes/editor/cells/markdown-field.tsx';

/** The selection is between two bars. */
function selected(written: string) {
  const start = written.indexOf('|');
  const end = written.lastIndexOf('|') - 1;
  return { text: written.replaceAll('|', ''), start, end: Math.max(start, end) };
}

function marked(mark: MarkName, written: string): string {
  const initialState = selected(written);
  const change = markSelection(mark, initialState);
  const after = replaced(initialState.text, change);
  return `${after.slice(0, change.start)}|${after.slice(change.start, change.end)}|${after.slice(change.end)}`;
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
])('%s of %j', (mark, written, expected) => {
  expect(marked(mark, written)).toBe(expected);
});

const address = '/media/aaaaaaaaaaaaaaaaaaaaaa/640.webp#640x480';
const pictured = (written: string, description = 'A house') => {
  const initialState = selected(written);
  return replaced(initialState.text, withPicture(initialState, address, description));
};

test('a picture gets its own paragraph', () => {
  expect(pictured('||')).toBe(`![A house](${address})\n\n`);
  expect(pictured('Before|| after')).toBe(`Before\n\n![A house](${address})\n\n after`);
  expect(pictured('Before\n\n||\nAfter')).toBe(`Before\n\n![A house](${address})\nAfter`);
});

test('no picture description can break the markdown', () => {
  expect(pictured('||', ' A [house](x) \\\n in snow ')).toBe(`![A \\[house\\](x) \\\\ in snow](${address})\n\n`);
});
