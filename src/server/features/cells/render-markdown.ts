import type { Element, Nodes, Root } from 'hast';
import { faqContents } from '#domain/faq.ts';
import { markdownProcessor } from './markdown-processor.ts';
import { giveSize } from './text-pictures.ts';

/**
 * Markdown as sanitised HTML (decisions §5). The headings that stand in the FAQ's table of contents get the ids that
 * it links to, after sanitising, so that no writer can set an id.
 */
export function renderMarkdown(markdown: string): string {
  const tree = markdownProcessor.runSync(markdownProcessor.parse(markdown));
  giveIds(tree, markdown);
  for (const image of elementsOf(tree).filter(({ tagName }) => tagName === 'img')) giveSize(image);
  return markdownProcessor.stringify(tree);
}

/**
 * The contents are read from lines, the headings are what markdown makes of them: one in a quotation is in no
 * contents, a line in a comment is no heading. So each heading takes the first entry left with the text of its line.
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
