/** An FAQ heading that starts with ###, an entry of the table of contents (§2). */
export type FaqHeading = { readonly text: string; readonly id: string };

/** The heading text lowercased, with everything but letters and digits removed (§2). */
export function createFaqId(heading: string): string {
  return heading.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The table of contents. Duplicate ids get a number appended, and a heading without letters or digits a numbered id. */
export function listFaqHeadings(markdown: string): FaqHeading[] {
  const usedIds = new Set<string>();
  const nextCopyNumbers = new Map<string, number>();
  return findHeadingTexts(markdown).map((text, index) => {
    const base = createFaqId(text) || `question${index + 1}`;
    let copy = nextCopyNumbers.get(base) ?? 1;
    let id = copy === 1 ? base : `${base}${copy}`;
    for (; usedIds.has(id); id = `${base}${copy}`) copy += 1;
    usedIds.add(id);
    nextCopyNumbers.set(base, copy + 1);
    return { text, id };
  });
}

/** The text of lines that start with exactly ###, outside fenced code, without closing #s. */
function findHeadingTexts(markdown: string): string[] {
  let fence: string | undefined;
  return markdown.split(/\r?\n/).flatMap((line) => {
    const fenceMark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (fenceMark && (fence === undefined || fence === fenceMark)) fence = fence === undefined ? fenceMark : undefined;
    if (fence !== undefined) return [];
    return /^###[ \t]/.test(line) ? parseHeading(line.slice(4)) : [];
  });
}

/** The text after the ###, without closing #s. A single regular expression would take quadratic time. */
function parseHeading(markedText: string): string[] {
  const trimmedText = trimEndCharacters(markedText.replace(/^[ \t]+/, ''), ' \t');
  const textBeforeMarks = trimEndCharacters(trimmedText, '#');
  const text = /[ \t]$/.test(textBeforeMarks) ? trimEndCharacters(textBeforeMarks, ' \t') : trimmedText;
  return text === '' ? [] : [text];
}

function trimEndCharacters(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
