import { joinLines } from '#domain/truncate-text.ts';

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** A tag, even if one of its attributes contains a `>`. */
const TAG = /<\/?(\w+)(?:"[^"]*"|'[^']*'|[^>"'])*>/g;
/** Inline tags. Any other tag separates words. */
const INLINE_TAGS = ['strong', 'em', 'del', 'a', 'code', 'sup', 'sub'];

/** The text of sanitized HTML, on one line. */
export function toPlainText(html: string): string {
  const text = html
    .replace(TAG, (_, name: string) => (INLINE_TAGS.includes(name) ? '' : ' '))
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (entity, decimalCode?: string, hexCode?: string, name?: string) => {
      if (name !== undefined) return NAMED_ENTITIES[name] ?? entity;
      return String.fromCodePoint(decimalCode === undefined ? Number.parseInt(hexCode ?? '', 16) : Number(decimalCode));
    });
  return joinLines(text);
}

/** The text of the paragraphs, without headings, lists, and tables; all text if there is no paragraph. */
export function getParagraphText(html: string): string {
  const paragraphs = [...html.matchAll(/<p>(.*?)<\/p>/gs)].map(([, text = '']) => toPlainText(text));
  return paragraphs.filter(Boolean).join(' ') || toPlainText(html);
}
