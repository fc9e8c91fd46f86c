/** What stands in a field, and the part of it that is selected. */
export type Selected = { readonly text: string; readonly start: number; readonly end: number };
/** A part of the text to be replaced, and what is selected afterwards. */
export type Replacement = {
  readonly from: number;
  readonly to: number;
  readonly by: string;
  readonly start: number;
  readonly end: number;
};

export type MarkName = 'bold' | 'italic' | 'heading' | 'list' | 'link';

/** What a button of the toolbar does to the selected words; pressed again, it takes the mark away. */
export function markSelection(mark: MarkName, selected: Selected): Replacement {
  switch (mark) {
    case 'bold':
      return around(selected, '**', 'bold words');
    case 'italic':
      return around(selected, '_', 'words to stress');
    case 'link':
      return linked(selected);
    case 'heading':
      return atLines(selected, '### ');
    case 'list':
      return atLines(selected, '- ');
  }
}

/** A picture in a paragraph of its own, at the place of the selection. */
export function withPicture({ text, start, end }: Selected, address: string, description: string): Replacement {
  const words = description
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\[\]]/g, '\\$&');
  const before = start === 0 || text.slice(0, start).endsWith('\n\n') ? '' : '\n\n';
  const after = text.slice(end).startsWith('\n') ? '' : '\n\n';
  const by = `${before}![${words}](${address})${after}`;
  return { from: start, to: end, by, start: start + by.length, end: start + by.length };
}

/** The text with a part of it replaced. */
export function replaced(text: string, { from, to, by }: Pick<Replacement, 'from' | 'to' | 'by'>): string {
  return text.slice(0, from) + by + text.slice(to);
}

function around({ text, start, end }: Selected, mark: string, example: string): Replacement {
  const isMarked = text.slice(0, start).endsWith(mark) && text.slice(end).startsWith(mark);
  const words = text.slice(start, end);
  if (isMarked) {
    const from = start - mark.length;
    return { from, to: end + mark.length, by: words, start: from, end: from + words.length };
  }
  const shown = words || example;
  const first = start + mark.length;
  return { from: start, to: end, by: mark + shown + mark, start: first, end: first + shown.length };
}

/** The address is what is selected then, to be typed or pasted over. */
function linked({ text, start, end }: Selected): Replacement {
  const words = text.slice(start, end) || 'words of the link';
  const address = 'https://';
  const first = start + words.length + 3;
  return { from: start, to: end, by: `[${words}](${address})`, start: first, end: first + address.length };
}

/** Puts a mark before every line that is selected in part, or takes it from them where all have it. */
function atLines({ text, start, end }: Selected, mark: string): Replacement {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const isMarked = lines.every((line) => line.startsWith(mark));
  const by = lines.map((line) => (isMarked ? line.slice(mark.length) : mark + line)).join('\n');
  return { from, to, by, start: from, end: from + by.length };
}
