// @spec 2.faq-screen
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFaqId, listFaqHeadings } from '#domain/faq.ts';

test.each([
  ['What is the fund?', 'whatisthefund'],
  ['Why $25 a ton?', 'why25aton'],
  ['  Spaces, dots... and "quotes"  ', 'spacesdotsandquotes'],
  ['Qué?', 'qu'],
  ['???', ''],
])('the id of %j is %j', (heading, id) => {
  expect(createFaqId(heading)).toBe(id);
});

test('the contents are the lines that start with ###, in order', () => {
  const markdown =
    '# FAQ\n\n### First?\nAnswer\n## Not this\n#### Nor this\n###Nor this\n\t### nor this\n### Second?  \nAnswer ### no';
  expect(listFaqHeadings(markdown)).toEqual([
    { text: 'First?', id: 'first' },
    { text: 'Second?', id: 'second' },
  ]);
});

test('all line endings work, and closing # characters aren’t part of a heading', () => {
  expect(listFaqHeadings('### One ###\r\nAnswer\r\n### C# \r\n').map(({ text }) => text)).toEqual(['One', 'C#']);
});

test.each([
  ['###   # ##', '#'],
  ['### ###', '###'],
  ['### C# #C', 'C# #C'],
  ['###\t\tTabs\t#\t', 'Tabs'],
])('the text of heading %j is %j', (line, text) => {
  expect(listFaqHeadings(line).map((heading) => heading.text)).toEqual([text]);
});

test('a blank heading is ignored', () => {
  expect(listFaqHeadings('###   \t ')).toEqual([]);
});

test('a line in a code block is not a heading', () => {
  expect(listFaqHeadings('```\n### a\n~~~\n### b\n```\n### c\n~~~\n### d')).toEqual([{ text: 'c', id: 'c' }]);
});

test('duplicate headings get different ids, and a heading without letters gets a numbered id', () => {
  expect(listFaqHeadings('### Why?\n### Why!\n### ???\n### why\n### Why 2').map(({ id }) => id)).toEqual([
    'why',
    'why2',
    'question3',
    'why3',
    'why22',
  ]);
});

test('ids are unique in any text', () => {
  const heading = fc.oneof(fc.constantFrom('Why', 'why!', 'Why 2', '?', 'question 2', 'Question1'), fc.string());
  fc.assert(
    fc.property(fc.array(heading.map((text) => `### ${text}`)), (lines) => {
      const ids = listFaqHeadings(lines.join('\n')).map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[a-z0-9]+$/);
    }),
  );
});
