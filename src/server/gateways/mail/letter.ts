/** A piece of a letter. It is written once, and said by the HTML and by the text part each in its own way. */
export type LetterPart =
  | { readonly kind: 'heading'; readonly text: string }
  /** A paragraph; an address that it has stands behind its words. */
  | { readonly kind: 'text'; readonly text: string; readonly href?: string }
  /** What is said beside the matter: how long a link lives, what to do if one did not ask for it. */
  | { readonly kind: 'note'; readonly text: string; readonly href?: string }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [name: string, value: string])[] }
  /** A button, with its address spelled out for those who cannot press it. */
  | { readonly kind: 'button'; readonly text: string; readonly href: string };

export type Letter = {
  readonly to: string;
  readonly subject: string;
  /** What mail programs show beside the subject: a sentence that stands in the letter too. */
  readonly preheader: string;
  readonly greeting: string;
  readonly title: string;
  readonly parts: readonly LetterPart[];
  /** Who sends it, a line each. */
  readonly sender: readonly string[];
  /** The origin of the site, which every link of a letter leads to. */
  readonly publicUrl: string;
  /** The same for every try at the same mail. */
  readonly messageKey: string;
};

export function heading(text: string): LetterPart {
  return { kind: 'heading', text };
}

export function paragraph(text: string, href?: string): LetterPart {
  return { kind: 'text', text, ...(href === undefined ? {} : { href }) };
}

export function note(text: string, href?: string): LetterPart {
  return { kind: 'note', text, ...(href === undefined ? {} : { href }) };
}

export function facts(rows: readonly (readonly [name: string, value: string])[]): LetterPart {
  return { kind: 'facts', rows };
}

export function button(text: string, href: string): LetterPart {
  return { kind: 'button', text, href };
}

/** The letter with every text of it on one line: what somebody put into a name makes no header and no line of its own. */
export function tidied(letter: Letter): Letter {
  return {
    ...letter,
    subject: oneLine(letter.subject),
    preheader: oneLine(letter.preheader),
    greeting: oneLine(letter.greeting),
    title: oneLine(letter.title),
    parts: letter.parts.map(tidiedPart),
    sender: letter.sender.map(oneLine),
  };
}

function tidiedPart(part: LetterPart): LetterPart {
  if (part.kind !== 'facts') return { ...part, text: oneLine(part.text) };
  return { ...part, rows: part.rows.map(([name, value]) => [oneLine(name), oneLine(value)] as const) };
}

/** Without line breaks, control characters, and those that turn the direction in which the rest is read. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim();
}
