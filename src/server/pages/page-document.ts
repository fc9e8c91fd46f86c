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
<script data-program="${[files.script, ...files.preloads].join(' ')}">${new Html(DOCUMENT_SCRIPT)}</script>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="theme-color" content="#07202a">
${headTags(head)}
<link rel="icon" href="/img/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/img/apple-touch-icon.png">
<link rel="manifest" href="/manifest.webmanifest">
${files.fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>\n`)}<style>${style}</style>
${files.styles.map((file) => html`<link rel="stylesheet" href="${file}" disabled>\n`)}</head>
<body>
<div id="root">${new Html(content)}</div>
<script type="application/json" id="page-data">${asJson(data)}</script>
</body>
</html>
`.text;
  return { status, text, styleHash: `'sha256-${createHash('sha256').update(style.text).digest('base64')}'` };
}

const meta = (property: string, content: string | number) => html`<meta property="${property}" content="${content}">\n`;

function headTags({ title, description, canonical, indexed, structured, ...shared }: PageHead): Html[] {
  return [
    html`<title>${title}</title>\n`,
    html`<meta name="description" content="${description}">\n`,
    ...(indexed ? [] : [html`<meta name="robots" content="noindex">\n`]),
    ...(canonical ? [html`<link rel="canonical" href="${canonical}">\n`, meta('og:url', canonical)] : []),
    meta('og:title', title),
    meta('og:description', description),
    meta('og:locale', 'en_US'),
    ...shareTags(shared),
    ...structured.map((thing) => html`<script type="application/ld+json">${asJson(thing)}</script>\n`),
  ];
}

/** What those who show a link need to know: whose it is, of what kind, and its picture (Open Graph; the rest takes the same). */
function shareTags({ siteName, image, article }: Pick<PageHead, 'siteName' | 'image' | 'article'>): Html[] {
  return [
    meta('og:site_name', siteName),
    meta('og:type', article ? 'article' : 'website'),
    ...(article ? [meta('article:published_time', article.published), meta('article:author', article.author)] : []),
    ...(image
      ? [
          meta('og:image', image.url),
          meta('og:image:type', 'image/png'),
          meta('og:image:width', image.width),
          meta('og:image:height', image.height),
          meta('og:image:alt', image.alt),
        ]
      : []),
    html`<meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">\n`,
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

/** Style that cannot end the style element it stands in, with the line ends that a browser makes of others: it is hashed. */
function asStyle(text: string): Html {
  return new Html(text.replace(/<\//g, '<\\/').replace(/\r\n?/g, '\n'));
}

/** A page whose first pictures are not there after so long has a very slow line: its program is fetched beside them. */
const UNPAINTED_MS = 1000;
/** What a browser takes to bring onto the screen what it has drawn. */
const DRAWN_MS = 120;

/**
 * The one script inside a document does two things.
 *
 * It fetches the program once the page is painted with its letters and its first pictures: a line that is slow carries
 * what is seen first. The program's files are named by the script element itself, the first of them being the one that
 * is run. A page in the background is not painted, and does not wait for it.
 *
 * And a rendered page can be used before its program is there. What is pressed and typed until then is remembered by
 * this script, and done by the program once it is there (src/web/app/early-input.ts). None of it goes further until then:
 * what the program hears while it is taking over would be done out of its turn, or twice. No form is sent by the
 * browser itself: it would load the page anew, and what was typed would be gone.
 */
export const DOCUMENT_SCRIPT = `(() => {
const files = document.currentScript.dataset.program.split(' ');
const start = () => {
for (const [place, file] of files.splice(0).entries()) {
const element = document.createElement(place ? 'link' : 'script');
Object.assign(element, place ? { rel: 'modulepreload', href: file } : { type: 'module', src: file });
document.head.append(element);
}
};
addEventListener('DOMContentLoaded', () => setTimeout(start, document.hidden ? 0 : ${UNPAINTED_MS}));
addEventListener('load', () => requestAnimationFrame(() => setTimeout(start, ${DRAWN_MS})));
const inputs = [];
const hold = (event) => event.preventDefault();
const press = (event) => {
event.stopImmediatePropagation();
const target = event.target.closest('button');
if (!target) return;
inputs.push({ target });
event.preventDefault();
};
const type = (event) => {
event.stopImmediatePropagation();
const { target } = event;
const { value, checked } = target;
const known = inputs.find((input) => input.target === target);
if (known) Object.assign(known, { value, checked });
else inputs.push({ target, value, checked });
};
const heard = [['submit', hold], ['click', press], ['input', type]];
for (const [name, hear] of heard) addEventListener(name, hear, true);
window.earlyInput = { inputs, stop: () => { for (const [name, hear] of heard) removeEventListener(name, hear, true); } };
})()`;

/** What the content policy must allow for it. */
export const DOCUMENT_SCRIPT_HASH = `'sha256-${createHash('sha256').update(DOCUMENT_SCRIPT).digest('base64')}'`;
