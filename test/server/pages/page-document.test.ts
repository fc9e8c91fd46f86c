import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageHead, RenderedPage } from '#contract/rendering.ts';
import type { PageFiles } from '#server/pages/built-client.ts';
import { createPageDocument } from '#server/pages/page-document.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { readElementContents, readMetaContents, unescapeHtml } from '#test/support/read-document.ts';

const FILES: PageFiles = {
  script: '/assets/index-1.js',
  preloads: ['/assets/home-2.js', '/assets/stories-3.js'],
  styles: ['/assets/index-1.css', '/assets/home-2.css'],
  styleTexts: ['body{color:#0e2930}', 'main{margin:0}'],
  fonts: ['/assets/figtree-4.woff2'],
};

const HEAD: PageHead = {
  title: 'Ithaca Climate Fund · Warm homes',
  description: 'Offset a flight, and warm a home.',
  siteName: 'Ithaca Climate Fund',
  canonical: 'https://fund.example/orgs/ithaca',
  alternates: [
    { language: 'en', url: 'https://fund.example/orgs/ithaca' },
    { language: 'es', url: 'https://fund.example/es/orgs/ithaca' },
  ],
  image: { url: 'https://fund.example/media/cards/ithaca.png', width: 1200, height: 630, alt: 'Warm homes' },
  article: undefined,
  isIndexed: true,
  structuredData: [],
};

const buildDocument = (parts: Partial<RenderedPage> = {}, files: Partial<PageFiles> = {}) =>
  createPageDocument(
    { module: 'home-page', status: 200, html: '<main>Hello</main>', head: HEAD, data: {}, ...parts },
    { ...FILES, ...files },
  );

/** Text that tries to end an element, start a comment, or break a script's line. */
const HOSTILE_TEXTS = [
  '</script><script>alert(1)</script>',
  '</SCRIPT >',
  '<!--<script>',
  '--><!-- ]]>',
  '</style><img src=x onerror=alert(1)>',
  '\u2028alert(1)\u2029',
  '" onload="alert(1)',
  "' onload='alert(1)",
  '&lt;b&gt; &amp;amp;',
  '$& $1 $$',
  '\\u003c/script>',
];
const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), arbitraryText());

// @asvs 1.1.2 1.2.3
test('any page data can be read back from the document unchanged', () => {
  fc.assert(
    fc.property(fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText))), (data) => {
      const { text } = buildDocument({ data });
      const pageData = readElementContents(text, 'script', 'id="page-data"');
      expect(JSON.parse(pageData[0] ?? '')).toEqual(JSON.parse(JSON.stringify(data)));
      expect(pageData).toHaveLength(1);
      // The data has no character that could end the script element early.
      expect(pageData[0]).not.toMatch(/<|\u2028|\u2029/);
      expect(text).toMatch(/<\/script>\n<\/body>\n<\/html>\n$/);
    }),
  );
});

// @asvs 1.2.3
test('any structured data can be read back from the document unchanged, with one script per item', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ name: hostileText }), { maxLength: 4 }), (structuredData) => {
      const scripts = readElementContents(
        buildDocument({ head: { ...HEAD, structuredData } }).text,
        'script',
        'type="application/ld+json"',
      );
      expect(scripts.map((json) => JSON.parse(json) as unknown)).toEqual(structuredData);
      expect(scripts.join('')).not.toMatch(/<|\u2028|\u2029/);
    }),
  );
});

// @asvs 1.2.1
test('title and description can’t break out of their elements', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (title, description) => {
      const { text } = buildDocument({ head: { ...HEAD, title, description, siteName: title } });
      expect(readElementContents(text, 'title').map(unescapeHtml)).toEqual([title]);
      for (const name of ['description', 'og:description']) expect(readMetaContents(text, name)).toEqual([description]);
      for (const name of ['og:title', 'og:site_name']) expect(readMetaContents(text, name)).toEqual([title]);
      // The document has the same tags as with harmless texts.
      expect(tagNames(text)).toEqual(tagNames(buildDocument().text));
    }),
  );
});

/** Names of a document's tags, in order. A browser creates its elements from these. */
const tagNames = (text: string) => [...text.matchAll(/<([a-z!/]+)/gi)].map(([, name]) => name);

test.each([
  ['as built', FILES.styleTexts.join('\n')],
  ['with an end tag', 'a{content:"</style><script>alert(1)</script>"}'],
  ['with carriage returns', 'body{\r\ncolor:red\r}'],
  ['with non-ASCII characters', 'a::after{content:"→ Ł 🏠"}'],
])('the style hash matches the inline style: %s', (_title, styleText) => {
  const { text, styleHash } = buildDocument({}, { styleTexts: [styleText] });
  const [style = '', ...otherStyles] = readElementContents(text, 'style');
  expect(otherStyles).toEqual([]);
  expect(style).not.toMatch(/<\/|\r/);
  expect(styleHash).toBe(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
});

test('the document links its files: script, preloads, deferred styles, fonts', () => {
  const { text } = buildDocument();
  expect(text).toContain('<script type="module" src="/assets/index-1.js"></script>');
  for (const file of FILES.preloads) expect(text).toContain(`<link rel="modulepreload" href="${file}">`);
  for (const file of FILES.styles) expect(text).toContain(`<link rel="stylesheet" href="${file}" disabled>`);
  expect(text).toContain('<link rel="preload" href="/assets/figtree-4.woff2" as="font" type="font/woff2" crossorigin>');
  expect(readElementContents(text, 'style')).toEqual([FILES.styleTexts.join('\n')]);
});

test('the head has the canonical URL, the alternate languages, and the share image', () => {
  const { text } = buildDocument();
  expect(text).toContain('<link rel="canonical" href="https://fund.example/orgs/ithaca">');
  expect(text).toContain('<link rel="alternate" hreflang="es" href="https://fund.example/es/orgs/ithaca">');
  expect(text).toContain('<link rel="alternate" hreflang="x-default" href="https://fund.example/orgs/ithaca">');
  expect(readMetaContents(text, 'og:url')).toEqual(['https://fund.example/orgs/ithaca']);
  expect(readMetaContents(text, 'og:type')).toEqual(['website']);
  expect(readMetaContents(text, 'og:image')).toEqual(['https://fund.example/media/cards/ithaca.png']);
  expect(readMetaContents(text, 'og:image:width')).toEqual(['1200']);
  expect(readMetaContents(text, 'og:image:height')).toEqual(['630']);
  expect(readMetaContents(text, 'og:image:alt')).toEqual(['Warm homes']);
  expect(readMetaContents(text, 'twitter:card')).toEqual(['summary_large_image']);
  expect(readMetaContents(text, 'robots')).toEqual([]);
});

test('a story names its author and publication time', () => {
  const article = { author: 'Dora Donor', published: '2026-02-01T12:00:00.000Z' };
  const { text } = buildDocument({ head: { ...HEAD, article } });
  expect(readMetaContents(text, 'og:type')).toEqual(['article']);
  expect(readMetaContents(text, 'article:author')).toEqual(['Dora Donor']);
  expect(readMetaContents(text, 'article:published_time')).toEqual(['2026-02-01T12:00:00.000Z']);
});

test('a page that must not be indexed is marked noindex and has no canonical address or image', () => {
  const head = { ...HEAD, isIndexed: false, canonical: undefined, alternates: [], image: undefined };
  const { text, status } = buildDocument({ status: 404, head });
  expect(status).toBe(404);
  expect(readMetaContents(text, 'robots')).toEqual(['noindex']);
  expect(text).not.toMatch(/rel="canonical"|og:url|og:image/);
  expect(readMetaContents(text, 'twitter:card')).toEqual(['summary']);
});
