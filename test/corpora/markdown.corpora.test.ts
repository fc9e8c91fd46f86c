// @spec decisions.5
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import rehypeStringify from 'rehype-stringify';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { renderMarkdown } from '#server/gateways/markdown/markdown.ts';

const EXAMPLES_FILE = path.join(
  process.env.CORPORA_DIR ?? path.join(tmpdir(), 'no-corpora'),
  'commonmark',
  'spec-0.31.json',
);

type Example = { readonly markdown: string; readonly html: string; readonly section: string };
const examples: readonly Example[] = existsSync(EXAMPLES_FILE) ? JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) : [];
if (examples.length === 0)
  console.log('Skipped: no CommonMark examples. Set CORPORA_DIR to a folder that contains "commonmark".');

/** The plain CommonMark parser that our renderer builds on. */
const commonMark = unified().use(remarkParse);
const withRawHtml = commonMark()
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeStringify, { allowDangerousHtml: true });
const withoutRawHtml = commonMark().use(remarkRehype).use(rehypeStringify);

/** Normalizes HTML: whitespace between tags, and characters that may be written as entities. */
function normalize(html: string): string {
  return html
    .replace(/&#x26;/g, '&amp;')
    .replace(/&#x3C;/g, '&lt;')
    .replace(/&gt;/g, '>')
    .replace(/&quot;|&#x22;/g, '"')
    .replace(/&#39;|&#x27;/g, "'")
    .replace(/ ?\/>/g, '>')
    .replace(/\n/g, '')
    .replace(/\s+/g, ' ');
}

/** Differences caused by sanitizing, in the order they are checked. */
const REASONS: readonly (readonly [string, (html: string, markdown: string) => string])[] = [
  ['raw HTML is removed', (_html, markdown) => normalize(String(withoutRawHtml.processSync(markdown)))],
  ['classes from the writer are removed', (html) => html.replace(/ class="language-[^"]*"/g, '')],
  ['only web and email links stay', (html) => html.replace(/ href="(?!(?:https?|mailto):)[^"/?#:]*:[^"]*"/gi, '')],
];
/** Our additions to CommonMark: ids for the table of contents, and links for plain URLs. */
const OUR_IDS = / id="[a-z\d]+"(?=>)/g;
const BARE_URL = 'a plain URL becomes a link';

/** Explains why an example renders differently from CommonMark; undefined if it renders the same. */
function findReason({ markdown, html }: Example): string | undefined {
  const renderedHtml = normalize(renderMarkdown(markdown)).replace(OUR_IDS, '');
  let expected = normalize(html);
  for (const [reason, applyChange] of REASONS) {
    if (renderedHtml === expected) return undefined;
    const changedHtml = applyChange(expected, markdown);
    if (changedHtml !== expected) {
      expected = changedHtml;
      if (renderedHtml === expected) return reason;
    }
  }
  if (renderedHtml === expected) return undefined;
  const removeLinks = (text: string) => text.replace(/<a href="[^"]*">(.*?)<\/a>/g, '$1');
  return removeLinks(renderedHtml) === removeLinks(expected) ? BARE_URL : 'UNKNOWN';
}

test.skipIf(examples.length === 0)('without sanitizing, every example renders like CommonMark', () => {
  const differingExamples = examples.filter(
    ({ markdown, html }) => normalize(String(withRawHtml.processSync(markdown))) !== normalize(html),
  );
  expect(examples).toHaveLength(652);
  expect(differingExamples).toEqual([]);
});

test.skipIf(examples.length === 0)(
  'our renderer differs from CommonMark only by sanitizing and by linking plain URLs',
  () => {
    const examplesByReason = new Map<string, string[]>();
    for (const [index, example] of examples.entries()) {
      const reason = findReason(example);
      if (reason !== undefined)
        examplesByReason.set(reason, [...(examplesByReason.get(reason) ?? []), String(index + 1)]);
    }
    for (const [reason, numbers] of examplesByReason)
      console.log(`${reason} (${numbers.length}): ${numbers.join(' ')}`);
    const matchCount = examples.length - [...examplesByReason.values()].flat().length;
    console.log(`same as CommonMark (${matchCount})`);
    expect(examplesByReason.get('UNKNOWN') ?? []).toEqual([]);
    // Like GFM, we deliberately turn plain URLs into links.
    expect(examplesByReason.get(BARE_URL)?.length).toBeLessThan(10);
  },
);
