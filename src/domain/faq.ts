/** A heading of the FAQ that starts with ### and so stands in its table of contents (§2). */
export type FaqHeading = { readonly text: string; readonly id: string };

/** The heading text lowercased, with everything but letters and digits removed (§2). */
export function faqId(heading: string): string {
  return heading.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/**
 * The FAQ's contents, in order. Two headings with the same id get "2", "3" … behind it, and one without any letter
 * or digit is called by its place, so that every entry of the contents leads somewhere.
 */
export function faqContents(markdown: string): FaqHeading[] {
  const taken = new Set<string>();
  const copies = new Map<string, number>();
  return headingLines(markdown).map((text, index) => {
    const wanted = faqId(text) || `question${index + 1}`;
    let copy = copies.get(wanted) ?? 1;
    let id = copy === 1 ? wanted : `${wanted}${copy}`;
    for (; taken.has(id); id = `${wanted}${copy}`) copy += 1;
    taken.add(id);
    copies.set(wanted, copy + 1);
    return { text, id };
  });
}

/** Lines that start with exactly ###, outside fenced code, without the closing # that markdown allows. */
function headingLines(markdown: string): string[] {
  let fence: string | undefined;
  return markdown.split(/\r?\n/).flatMap((line) => {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    if (fence !== undefined) return [];
    const text = /^###[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$/.exec(line)?.[1];
    return text === undefined ? [] : [text];
  });
}
