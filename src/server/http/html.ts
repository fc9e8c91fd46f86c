import { createHash } from 'node:crypto';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Safe HTML that is not escaped again. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Part = string | number | Html | readonly Html[];

/** A template tag that escapes every value except `Html`. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(pieces.map((piece, index) => piece + escapePart(parts[index] ?? '')).join(''));
}

function escapePart(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** Content security policy for a document that has only this style and an empty icon, and loads nothing. */
export function createStylePolicy(style: string): string {
  return `default-src 'none'; img-src data:; style-src ${createPolicyHash(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}

/** Source expression that allows an inline style or script in a content security policy (CSP 3, 2.3.1). */
export function createPolicyHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
