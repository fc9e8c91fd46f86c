// @spec 2.faq-screen decisions.5
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listFaqHeadings } from '#domain/faq.ts';
import { renderMarkdown } from '#server/gateways/markdown/markdown.ts';
import { defaultText } from '#test/support/default-text.ts';
import { pickRunCount } from '#test/support/run-count.ts';
import { parseFaqHeadings } from '#web/ui/faq-headings.ts';

test.each([
  ['Plain text.', '<p>Plain text.</p>'],
  ['One\ntwo\n\nthree', '<p>One\ntwo</p>\n<p>three</p>'],
  [
    '**strong**, *stressed*, ~~gone~~, `code`',
    '<p><strong>strong</strong>, <em>stressed</em>, <del>gone</del>, <code>code</code></p>',
  ],
  ['# One\n\n## Two\n\n#### Four', '<h1>One</h1>\n<h2>Two</h2>\n<h4>Four</h4>'],
  ['Heading\n=======', '<h1>Heading</h1>'],
  ['- a\n- b\n  - c', '<ul>\n<li>a</li>\n<li>b\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>'],
  ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['> quoted', '<blockquote>\n<p>quoted</p>\n</blockquote>'],
  ['---', '<hr>'],
  ['    kept   as it is', '<pre><code>kept   as it is\n</code></pre>'],
  ['```js\nlet a = "<b>";\n```', '<pre><code>let a = "&#x3C;b>";\n</code></pre>'],
  ['line  \nbreak', '<p>line<br>\nbreak</p>'],
  [
    '[a link](https://fund.example/faqs "Title")',
    '<p><a href="https://fund.example/faqs" title="Title">a link</a></p>',
  ],
  ['[a link](Https://fund.example)', '<p><a href="Https://fund.example">a link</a></p>'],
  ['[mail](mailto:fund@civic.example)', '<p><a href="mailto:fund@civic.example">mail</a></p>'],
  ['[607-555-0142](tel:+16075550142)', '<p><a href="tel:+16075550142">607-555-0142</a></p>'],
  [
    '[here](/orgs/sample/donate) [below](#whatisaton)',
    '<p><a href="/orgs/sample/donate">here</a> <a href="#whatisaton">below</a></p>',
  ],
  ['See https://fund.example.', '<p>See <a href="https://fund.example">https://fund.example</a>.</p>'],
  ['![A house](/img/house.png "Ours")', '<p><img src="/img/house.png" alt="A house" title="Ours"></p>'],
  ['CO₂ & 5 < 6 > 4 \\*not stressed\\*', '<p>CO₂ &#x26; 5 &#x3C; 6 > 4 *not stressed*</p>'],
  ['&copy; &lt;b&gt;', '<p>© &#x3C;b></p>'],
  ['', ''],
])('%j becomes %s', (markdown, html) => {
  expect(renderMarkdown(markdown)).toBe(html);
});

test('footnote marks stay as plain text', () => {
  expect(renderMarkdown('A claim.[^1]\n\n[^1]: Its proof is long.')).toBe(
    '<p>A claim.[^1]</p>\n<p>[^1]: Its proof is long.</p>',
  );
});

test('tables keep their column alignment', () => {
  const html = renderMarkdown('| a | b |\n|:--|--:|\n| 1 | 2 |');
  expect(html).toContain('<th align="left">a</th>');
  expect(html).toContain('<td align="right">2</td>');
});

test('task list items can’t be checked', () => {
  const html = renderMarkdown('- [x] insulated\n- [ ] heated');
  expect(html).toContain('<input type="checkbox" checked disabled> insulated');
  expect(html).toContain('<input type="checkbox" disabled> heated');
});

// @asvs 1.2.2 1.3.1 1.3.5
test.each([
  '<script>alert(1)</script>',
  'text <script src="https://evil.example/x.js"></script> text',
  '<SCRIPT\n>alert(1)</SCRIPT>',
  '<iframe src="https://evil.example"></iframe>',
  '<img src=x onerror=alert(1)>',
  '<div onclick="alert(1)" style="position:fixed">x</div>',
  '<style>body { display: none }</style>',
  '<form action="https://evil.example"><input name="password"></form>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mi xlink:href="data:x,<script>alert(1)</script>"></mi></math>',
  '<object data="x"></object><embed src="x"><base href="https://evil.example">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<a href="javascript:alert(1)" id="root" class="modal">x</a>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#10;script:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '[x](vbscript:x) [x](data:text/html;base64,PHNjcmlwdD4=) [x](file:///etc/passwd) [x](blob:x)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1)) ![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x" onerror="alert(1)](https://a.example/b.png)',
  '[x](https://a.example "x\\" onclick=\\"alert(1)")',
  '`<script>alert(1)</script>`\n\n```"><script>alert(1)</script>\nx\n```',
  '| <script>alert(1)</script> |\n|--|\n| <b onclick=x>y</b> |',
  '<!-- <script> -->\n<![CDATA[<script>]]><?php x ?>',
  '### <b id="x">Heading</b>\n\n### <script>x</script>',
])('nothing in %j is executable', (markdown) => {
  expectHarmless(renderMarkdown(markdown));
});

const ALLOWED_TAGS =
  /^(?:p|a|em|strong|del|code|pre|h[1-6]|ul|ol|li|blockquote|hr|br|img|table|thead|tbody|tr|th|td|input|sup|section)$/;
const ALLOWED_ATTRIBUTES = /^(?:href|title|src|alt|start|align|type|checked|disabled|id|width|height|loading)$/;

const TAG_PATTERN = /<\/?([^\s<>]+)((?:\s+[^\s=<>"]+(?:="[^"]*")?)*)>/g;

/** Checks that HTML contains only the tags that texts need and only harmless addresses. */
function expectHarmless(html: string): void {
  for (const [, tag = '', attributes = ''] of html.matchAll(TAG_PATTERN)) {
    expect(tag).toMatch(ALLOWED_TAGS);
    for (const [, name = '', , value = ''] of attributes.matchAll(/([^\s=]+)(="([^"]*)")?/g)) {
      expect(name).toMatch(ALLOWED_ATTRIBUTES);
      if (name === 'href' || name === 'src') expect(value).toMatch(/^(?:https?:|mailto:|tel:|[^:]*$|[^:]*[/?#])/i);
    }
  }
  expect(html.replace(TAG_PATTERN, '')).not.toContain('<');
}

// @asvs 1.3.1
test('no Markdown becomes active content', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '#',
      '### ',
      '\n',
      '\n\n',
      '[x](',
      ')',
      '`',
      '```\n',
      '<!--',
      '-->',
      '|',
      '\\',
      '> ',
      '- ',
    ),
    fc.constantFrom(
      '<script>',
      '</script>',
      '<img src=x onerror=y>',
      'javascript:',
      'data:',
      ' onclick="x"',
      '<b>',
      'https://a.example',
      '<a href="',
    ),
    fc.string({ maxLength: 4, unit: 'grapheme' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => expectHarmless(renderMarkdown(pieces.join('')))),
    { numRuns: pickRunCount(100, 500) },
  );
});

const headingIds = (html: string) => [...html.matchAll(/<h3 id="([^"]*)">/g)].map(([, id]) => id);

test('every entry of the default FAQ’s table of contents links to its heading', () => {
  const faq = defaultText('faq', 'questions');
  expect(listFaqHeadings(faq).length).toBeGreaterThanOrEqual(12);
  expect(headingIds(renderMarkdown(faq))).toEqual(listFaqHeadings(faq).map(({ id }) => id));
});

test.each([
  ['two headings with the same name', '### What?\n\na\n\n### What?\n\nb', ['what', 'what2']],
  ['a heading without letters', '### ???\n\n### 5 %', ['question1', '5']],
  [
    'closing marks and marked words',
    '### **Bold** `code` [link](https://a.example) ###',
    ['boldcodelinkhttpsaexample'],
  ],
  ['a quoted heading, which is not listed', '> ### Quoted\n\n### Asked', ['asked']],
  ['an indented heading, which is not listed', '  ### Moved in\n\n### Asked', ['asked']],
  ['a line in code, which is not a heading', '```\n### Code\n```\n\n### Asked', ['asked']],
  ['a line in a comment, which is not a heading', '<!--\n### Hidden\n-->\n\n### Asked', ['asked']],
  ['other levels', '## Two\n\n### Three\n\n#### Four', ['three']],
  ['an underlined heading', 'One\n===\n\n### Three', ['three']],
  ['Windows line endings', '### One\r\n\r\ntext\r\n\r\n### Two', ['one', 'two']],
])('headings get the ids of the table of contents, with %s', (_title, markdown, ids) => {
  expect(headingIds(renderMarkdown(markdown))).toEqual(ids);
  expect(listFaqHeadings(markdown).map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

test('the table of contents shows headings as plain text, without Markdown', () => {
  const html = renderMarkdown(
    '### *New* heading & **more** ###\n\n### Use `code` and [a link](https://a.example)\n\n> ### Quoted',
  );
  expect(parseFaqHeadings(html)).toEqual([
    { text: 'New heading & more', id: 'newheadingmore' },
    { text: 'Use code and a link', id: 'usecodeandalinkhttpsaexample' },
  ]);
});

test('Markdown can’t set an id', () => {
  expect(renderMarkdown('<h3 id="root">x</h3>\n\n# <a id="root">x</a>')).not.toContain('id=');
});
