import type { Element, Nodes, Root } from 'hast';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { type Processor, unified } from 'unified';
import { listFaqHeadings } from '#domain/faq.ts';
import { mediaPath, storedWidths } from '#server/gateways/pictures/pictures.ts';

/**
 * Renders Markdown as sanitized HTML (decisions §5). Headings in the FAQ's table of contents get the ids it links to. Ids
 * are added after sanitizing, so that authors can't set them.
 */
export function renderMarkdown(markdown: string): string {
  const tree = markdownProcessor.runSync(markdownProcessor.parse(markdown));
  addIds(tree, markdown);
  for (const image of listElements(tree).filter(({ tagName }) => tagName === 'img')) addImageSizes(image);
  return markdownProcessor.stringify(tree);
}

/**
 * Adds the ids of the table of contents to headings. The table is read from lines and the headings from parsed Markdown, so
 * they can differ: a heading in a quotation has no entry, and a line in a comment isn't a heading. Each heading gets the first
 * unused id of its text.
 */
function addIds(tree: Root, markdown: string): void {
  const headings = listElements(tree).filter(({ tagName }) => tagName === 'h3');
  const lines = markdown.split(/\r\n|\n|\r/);
  const unusedIds = new Map<string, string[]>();
  for (const { text, id } of listFaqHeadings(markdown).toReversed()) {
    const ids = unusedIds.get(text);
    if (ids) ids.push(id);
    else unusedIds.set(text, [id]);
  }
  for (const heading of headings) {
    const line = lines[(heading.position?.start.line ?? 0) - 1] ?? '';
    const text = listFaqHeadings(line)[0]?.text;
    const id = text === undefined ? undefined : unusedIds.get(text)?.pop();
    if (id !== undefined) heading.properties = { ...heading.properties, id };
  }
}

function listElements(node: Nodes): Element[] {
  const descendants = 'children' in node ? node.children.flatMap(listElements) : [];
  return node.type === 'element' ? [node, ...descendants] : descendants;
}

/** Includes capitals, because phones capitalize the first letter. */
const WEB_PROTOCOLS = ['http', 'https', 'Http', 'Https', 'HTTP', 'HTTPS'];
const EMAIL_PROTOCOLS = ['mailto', 'Mailto', 'MAILTO'];
const PHONE_PROTOCOLS = ['tel', 'Tel', 'TEL'];

/** Allows no raw HTML, ids, or classes, and only web, email, and phone links. */
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
  protocols: { href: [...WEB_PROTOCOLS, ...EMAIL_PROTOCOLS, ...PHONE_PROTOCOLS], src: WEB_PROTOCOLS },
};

export const markdownProcessor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(disableFootnotes)
  .use(remarkRehype)
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeStringify);

/** Turns off footnotes, because their ids are removed and would clash between a page's cells. Their marks stay plain text. */
function disableFootnotes(this: Processor): void {
  const data = this.data();
  const names = ['gfmFootnoteCall', 'gfmPotentialFootnoteCall', 'gfmFootnoteDefinition'];
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: names } }];
}

/** Matches a stored picture's address from `pictureAddress`. */
const ADDRESS = /^\/media\/([\w-]{22})\/(\d{1,5})\.webp#(\d{1,5})x(\d{1,5})$/;
/** Width of the text column, for browsers that don't support `auto`. */
const IMAGE_SIZES = 'auto, (max-width: 700px) 92vw, 640px';

/** Sets the size and widths of one of this site's pictures from its address, and makes it load lazily. */
function addImageSizes(image: Element): void {
  const [, key, widest, width, height] = ADDRESS.exec(String(image.properties.src ?? '')) ?? [];
  if (key === undefined) return;
  const srcSet = storedWidths(Number(widest)).map((storedWidth) => `${mediaPath(key, storedWidth)} ${storedWidth}w`);
  image.properties = {
    ...image.properties,
    src: mediaPath(key, Number(widest)),
    srcSet: srcSet.join(', '),
    sizes: IMAGE_SIZES,
    width: Number(width),
    height: Number(height),
    loading: 'lazy',
  };
}
