import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import type { PageHead, RenderedPage } from '#contract/rendering.ts';
import type { Language } from '#messages';
import { createPolicyHash, Html, html } from '#server/http/html.ts';
import type { PageFiles } from './built-client.ts';

export type PageDocument = {
  readonly status: number;
  readonly text: string;
  /** Hash of the inline style, for the content security policy. */
  readonly styleHash: string;
};

/** Builds a rendered page's document. The style is inline, so that browsers show the page without another request. */
export function createPageDocument(
  { status, html: content, head, data }: RenderedPage,
  files: PageFiles,
  language: Language = DEFAULT_LANGUAGE,
): PageDocument {
  const style = escapeStyle(files.styleTexts.join('\n'));
  const text = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#07202a">
${createHeadTags(head, language)}
<link rel="icon" href="/img/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/img/apple-touch-icon.png">
<link rel="manifest" href="/manifest.webmanifest">
${files.fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>\n`)}<style>${style}</style>
${files.styles.map((file) => html`<link rel="stylesheet" href="${file}" disabled>\n`)}${files.preloads.map((file) => html`<link rel="modulepreload" href="${file}">\n`)}<script type="module" src="${files.script}"></script>
</head>
<body>
<div id="root">${new Html(content)}</div>
<script type="application/json" id="page-data">${escapeJson(data)}</script>
</body>
</html>
`.text;
  return { status, text, styleHash: createPolicyHash(style.text) };
}

const createMetaTag = (property: string, content: string | number) =>
  html`<meta property="${property}" content="${content}">\n`;

function createHeadTags(
  { title, description, canonical, isIndexed, structuredData, alternates, ...shareData }: PageHead,
  language: Language,
): Html[] {
  return [
    html`<title>${title}</title>\n`,
    html`<meta name="description" content="${description}">\n`,
    ...(isIndexed ? [] : [html`<meta name="robots" content="noindex">\n`]),
    ...(canonical ? [html`<link rel="canonical" href="${canonical}">\n`, createMetaTag('og:url', canonical)] : []),
    ...alternates.map(
      ({ language: alternateLanguage, url }) =>
        html`<link rel="alternate" hreflang="${alternateLanguage}" href="${url}">\n`,
    ),
    ...alternates.slice(0, 1).map(({ url }) => html`<link rel="alternate" hreflang="x-default" href="${url}">\n`),
    createMetaTag('og:title', title),
    createMetaTag('og:description', description),
    createMetaTag('og:locale', `${language}_US`),
    ...createShareTags(shareData),
    ...structuredData.map((data) => html`<script type="application/ld+json">${escapeJson(data)}</script>\n`),
  ];
}

/** Creates tags for link previews: Open Graph, which Twitter also reads. */
function createShareTags({ siteName, image, article }: Pick<PageHead, 'siteName' | 'image' | 'article'>): Html[] {
  return [
    createMetaTag('og:site_name', siteName),
    createMetaTag('og:type', article ? 'article' : 'website'),
    ...(article
      ? [createMetaTag('article:published_time', article.published), createMetaTag('article:author', article.author)]
      : []),
    ...(image
      ? [
          createMetaTag('og:image', image.url),
          createMetaTag('og:image:type', 'image/png'),
          createMetaTag('og:image:width', image.width),
          createMetaTag('og:image:height', image.height),
          createMetaTag('og:image:alt', image.alt),
        ]
      : []),
    html`<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">\n`,
  ];
}

/** Escapes JSON so that it can't close its script element. */
function escapeJson(data: unknown): Html {
  return new Html(
    JSON.stringify(data)
      .replace(/</g, '\\u003c')
      .replace(/\u2028|\u2029/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029')),
  );
}

/**
 * Escapes a style so that it can't close its element. Normalizes line endings as browsers do, because the style is
 * hashed.
 */
function escapeStyle(text: string): Html {
  return new Html(text.replace(/<\//g, '<\\/').replace(/\r\n?/g, '\n'));
}
