import { createHash } from 'node:crypto';
import type { PageHead, RenderedPage } from '#contract/rendering.ts';
import { Html, html } from '#server/html.ts';
import type { PageFiles } from './built-client.ts';

export type PageDocument = {
  readonly status: number;
  readonly text: string;
  /** What the content policy must allow beside the program's own files: the style inside the document, by its hash. */
  readonly styleHash: string;
};

/** The whole document of a rendered page, with the style inside it, so that it is drawn without a further request. */
export function pageDocument({ status, html: content, head, data }: RenderedPage, files: PageFiles): PageDocument {
  const style = asStyle(files.styleText);
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#07202a">
${headTags(head)}
<link rel="icon" href="/img/icon.svg" type="image/svg+xml">
${files.fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>\n`)}<style>${style}</style>
${files.styles.map((file) => html`<link rel="stylesheet" href="${file}" disabled>\n`)}<script type="module" src="${files.script}"></script>
${files.preloads.map((file) => html`<link rel="modulepreload" href="${file}">\n`)}</head>
<body>
<div id="root">${new Html(content)}</div>
<script type="application/json" id="page-data">${asJson(data)}</script>
</body>
</html>
`.text;
  return { status, text, styleHash: `'sha256-${createHash('sha256').update(style.text).digest('base64')}'` };
}

function headTags({ title, description, canonical, image, kind, indexed, structured }: PageHead): Html[] {
  const meta = (property: string, content: string) => html`<meta property="${property}" content="${content}">\n`;
  return [
    html`<title>${title}</title>\n`,
    html`<meta name="description" content="${description}">\n`,
    ...(indexed ? [] : [html`<meta name="robots" content="noindex">\n`]),
    ...(canonical ? [html`<link rel="canonical" href="${canonical}">\n`, meta('og:url', canonical)] : []),
    meta('og:type', kind),
    meta('og:title', title),
    meta('og:description', description),
    ...(image
      ? [
          meta('og:image', image.url),
          meta('og:image:width', String(image.width)),
          meta('og:image:height', String(image.height)),
          meta('og:image:alt', image.alt),
          html`<meta name="twitter:card" content="summary_large_image">\n`,
        ]
      : []),
    ...structured.map((thing) => html`<script type="application/ld+json">${asJson(thing)}</script>\n`),
  ];
}

/** JSON that cannot end the script element it stands in. */
function asJson(data: unknown): Html {
  return new Html(
    JSON.stringify(data)
      .replace(/</g, '\\u003c')
      .replace(/\u2028|\u2029/g, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029')),
  );
}

/** Style that cannot end the style element it stands in. */
function asStyle(text: string): Html {
  return new Html(text.replace(/<\//g, '<\\/'));
}
