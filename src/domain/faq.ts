/** An FAQ heading that starts with ###, an entry of the table of contents (§2). */
export type FaqHeading = { readonly text: string; readonly id: string };

/** The heading text lowercased, with everything but letters and digits removed (§2). */
export function faqId(heading: string): string {
  return heading.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The table of contents. Duplicate ids get a number appended, and a heading without letters or digits a numbered id. */
export function faqContents(markdown: string): FaqHeading[] {
  const usedIds = new Set<string>();
  const copies = new Map<string, number>();
  return headingLines(markdown).map((text, index) => {
    const base = faqId(text) || `question${index + 1}`;
    let copy = copies.get(base) ?? 1;
    let id = copy === 1 ? base : `${base}${copy}`;
    for (; usedIds.has(id); id = `${base}${copy}`) copy += 1;
    usedIds.add(id);
    copies.set(base, copy + 1);
    return { text, id };
  });
}

/** The text of lines that start with exactly ###, outside fenced code, without closing #s. */
function headingLines(markdown: string): string[] {
  let fence: string | undefined;
  return markdown.split(/\r?\n/).flatMap((line) => {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    if (fence !== undefined) return [];
    return /^###[ \t]/.test(line) ? headingTexts(line.slice(4)) : [];
  });
}

/** The text after the ###, without closing #s. A single regular expression would take quadratic time. */
function headingTexts(markedText: string): string[] {
  const whole = trimEndCharacters(markedText.replace(/^[ \t]+/, ''), ' \t');
  const open = trimEndCharacters(whole, '#');
  const text = /[ \t]$/.test(open) ? trimEndCharacters(open, ' \t') : whole;
  return text === '' ? [] : [text];
}

function trimEndCharacters(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
