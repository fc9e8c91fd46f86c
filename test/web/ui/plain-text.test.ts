import { expect, test } from 'vitest';
import { getParagraphText, toPlainText } from '#web/ui/plain-text.ts';

test.each([
  ['<p>Warm <strong>homes</strong>, <em>cooler</em> planet.</p>', 'Warm homes, cooler planet.'],
  ['<h2>Warm homes</h2>\n<p>Now.</p>', 'Warm homes Now.'],
  ['<ul>\n<li>one</li>\n<li>two</li>\n</ul>', 'one two'],
  ['<p>CO<sub>2</sub>: see <a href="/faq" title="a > b">the FAQ</a>!</p>', 'CO2: see the FAQ!'],
  ['one<br>two', 'one two'],
  [
    'Fish &#x26; chips &amp; peas &lt;here&gt; &#60;there&#x3C; &quot;so&quot; &#39;so&apos; a&nbsp;b',
    `Fish & chips & peas <here> <there< "so" 'so' a b`,
  ],
  ['&unknown; &amp;lt;', '&unknown; &lt;'],
  ['', ''],
])('%s becomes %s', (html, words) => {
  expect(toPlainText(html)).toBe(words);
});

test('paragraph text excludes headings, lists, and tables; without a paragraph, all text is used', () => {
  expect(getParagraphText('<h2>Title</h2><p>First.</p><ul><li>Point</li></ul><p>Second,\nlast.</p>')).toBe(
    'First. Second, last.',
  );
  expect(getParagraphText('<h2>Title</h2><ul><li>Point</li></ul>')).toBe('Title Point');
  expect(getParagraphText('<p></p><h2>Title</h2>')).toBe('Title');
});
