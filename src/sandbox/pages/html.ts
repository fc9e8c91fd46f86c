/** Markup that is safe to send: made by `html` alone. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = string | number | Html | readonly Html[] | undefined | null | false;

/** Every value is escaped, save markup made by `html` itself. Nothing is put for undefined, null and false. */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(String.raw({ raw: strings.map(String) }, ...pieces.map(markupOf)));
}

function markupOf(piece: Piece): string {
  if (piece === undefined || piece === null || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(({ text }) => text).join('');
  return escaped(String(piece));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
