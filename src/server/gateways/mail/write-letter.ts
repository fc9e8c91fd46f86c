import { type Letter, type LetterPart, tidied } from './letter.ts';
import { htmlOf } from './letter-html.ts';
import type { Mail } from './mailer.ts';

/**
 * The mail of a letter: an HTML part in the product's look, and a text part that says the same.
 * @throws Error where a link would lead to another site than the program's own
 */
export function writeLetter(letter: Letter): Mail {
  for (const part of letter.parts) if ('href' in part) requireOwnLink(part.href, letter.publicUrl);
  const tidy = tidied(letter);
  return {
    to: letter.to,
    subject: tidy.subject,
    text: textOf(tidy),
    html: htmlOf(tidy).text,
    messageKey: letter.messageKey,
  };
}

function requireOwnLink(href: string, publicUrl: string): void {
  // The address itself may be a key to somebody's account, and errors are logged.
  if (URL.parse(href)?.origin !== publicUrl) throw new Error('A mail was not written: its link leads to another site');
}

function textOf({ greeting, title, parts, sender }: Letter): string {
  const paragraphs = [[greeting], [title], ...parts.map(linesOf), ['--', ...sender]];
  return `${paragraphs.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function linesOf(part: LetterPart): string[] {
  switch (part.kind) {
    case 'text':
    case 'note':
      return [part.href === undefined ? part.text : `${part.text} ${part.href}`];
    case 'heading':
      return [`${part.text}:`];
    case 'facts':
      return part.rows.map(([name, value]) => `${name}: ${value}`);
    case 'button':
      return [`${part.text}:`, part.href];
  }
}
