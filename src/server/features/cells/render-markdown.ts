import type { Element, Nodes, Root } from 'hast';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { faqContents } from '#domain/faq.ts';

/** Only what a text needs: no raw HTML, no ids or classes of the writer's own, links to the web and to mail only. */
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
  protocols: { href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
};

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSanitize, SCHEMA)
  .use(rehypeStringify);

/**
 * Markdown as sanitised HTML (decisions §5). The headings of the third level get the ids that the FAQ's table of
 * contents links to, after sanitising, so that no writer can set an id.
 */
export function renderMarkdown(markdown: string): string {
  const tree = processor.runSync(processor.parse(markdown));
  giveIds(
    tree,
    faqContents(markdown).map(({ id }) => id),
  );
  return processor.stringify(tree);
}

function giveIds(tree: Root, ids: readonly string[]): void {
  const headings = elementsOf(tree).filter(({ tagName }) => tagName === 'h3');
  // A heading made otherwise than by ### has no place in the contents, and then the two lists cannot be told apart.
  if (headings.length !== ids.length) return;
  for (const [index, heading] of headings.entries()) heading.properties = { ...heading.properties, id: ids[index] };
}

function elementsOf(node: Nodes): Element[] {
  const below = 'children' in node ? node.children.flatMap(elementsOf) : [];
  return node.type === 'element' ? [node, ...below] : below;
}
