import type { Element, Nodes, Root } from 'hast';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import { faqContents } from '#domain/faq.ts';
import { mediaPath, storedWidths } from '#server/gateways/pictures/pictures.ts';

/**
 * Markdown as sanitized HTML (decisions §5). Headings in the FAQ's table of contents get the ids it links to, after
 * sanitizing, so that no writer can set an id.
 */
export function renderMarkdown(markdown: string): string {
  const tree = markdownProcessor.runSync(markdownProcessor.parse(markdown));
  giveIds(tree, markdown);
  for (const image of elementsOf(tree).filter(({ tagName }) => tagName === 'img')) giveSize(image);
  return markdownProcessor.stringify(tree);
}

/**
 * The table of contents is read from lines, headings from the parsed markdown, and they can differ: a heading in a
 * quotation has no entry, a line in a comment is no heading. Each heading takes the first unused entry with its text.
 */
function giveIds(tree: Root, markdown: string): void {
  const headings = elementsOf(tree).filter(({ tagName }) => tagName === 'h3');
  const lines = markdown.split(/\r\n|\n|\r/);
  const idsLeft = new Map<string, string[]>();
  for (const { text, id } of faqContents(markdown).toReversed()) {
    const ids = idsLeft.get(text);
    if (ids) ids.push(id);
    else idsLeft.set(text, [id]);
  }
  for (const heading of headings) {
    const line = lines[(heading.position?.start.line ?? 0) - 1] ?? '';
    const text = faqContents(line)[0]?.text;
    const id = text === undefined ? undefined : idsLeft.get(text)?.pop();
    if (id !== undefined) heading.properties = { ...heading.properties, id };
  }
}

function elementsOf(node: Nodes): Element[] {
  const below = 'children' in node ? node.children.flatMap(elementsOf) : [];
  return node.type === 'element' ? [node, ...below] : below;
}

/** Phones capitalize the first letter. */
const WEB = ['http', 'https', 'Http', 'Https', 'HTTP', 'HTTPS'];
const MAIL = ['mailto', 'Mailto', 'MAILTO'];

/** No raw HTML, ids or classes; links to the web and to mail only. */
const SCHEMA: typeof defaultSchema = {
  ...defaultSchema,
  clobberPrefix: '',
  attributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    td: ['align'],
    th: ['align'],
    input: [['type', 'checkbox'], 'checked', ['disabled', true]],
  },
  protocols: { href: [...WEB, ...MAIL], src: WEB },
};

export const markdownProcessor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(withoutFootnotes)
  .use(remarkRehype)
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeStringify);

/** Footnotes need ids, which are removed and would clash between cells on a page. Their marks stay as plain text. */
function withoutFootnotes(this: Processor): void {
  const data = this.data();
  const names = ['gfmFootnoteCall', 'gfmPotentialFootnoteCall', 'gfmFootnoteDefinition'];
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: names } }];
}

/** What `pictureAddress` makes of a stored picture. */
const ADDRESS = /^\/media\/([\w-]{22})\/(\d{1,5})\.webp#(\d{1,5})x(\d{1,5})$/;
/** The width of a text, where the browser cannot tell by itself. */
const TEXT_SIZES = 'auto, (max-width: 700px) 92vw, 640px';

/** Sets the size and the widths of a picture of this site from its address, and loads it lazily. */
export function giveSize(image: Element): void {
  const [, key, widest, width, height] = ADDRESS.exec(String(image.properties.src ?? '')) ?? [];
  if (key === undefined) return;
  const srcSet = storedWidths(Number(widest)).map((each) => `${mediaPath(key, each)} ${each}w`);
  image.properties = {
    ...image.properties,
    src: mediaPath(key, Number(widest)),
    srcSet: srcSet.join(', '),
    sizes: TEXT_SIZES,
    width: Number(width),
    height: Number(height),
    loading: 'lazy',
  };
}
