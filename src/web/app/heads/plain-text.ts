import { onOneLine } from '#domain/cut-text.ts';

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** A tag, also where an attribute of it has a `>`. */
const TAG = /<\/?(\w+)(?:"[^"]*"|'[^']*'|[^>"'])*>/g;
/** Tags that stand within a line; any other one keeps words apart. */
const WITHIN_A_LINE = ['strong', 'em', 'del', 'a', 'code', 'sup', 'sub'];

/** The words of a text's sanitised HTML, on one line. */
export function plainText(html: string): string {
  const words = html
    .replace(TAG, (_, name: string) => (WITHIN_A_LINE.includes(name) ? '' : ' '))
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (entity, tens?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? entity;
      return String.fromCodePoint(tens === undefined ? Number.parseInt(hex ?? '', 16) : Number(tens));
    });
  return onOneLine(words);
}

/** The words of a text's paragraphs, without its headings, lists and tables; all of them where there is no paragraph. */
export function paragraphText(html: string): string {
  const paragraphs = [...html.matchAll(/<p>(.*?)<\/p>/gs)].map(([, words = '']) => plainText(words));
  return paragraphs.filter(Boolean).join(' ') || plainText(html);
}
