const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The words of a text's sanitised HTML, on one line. */
export function plainText(html: string): string {
  const words = html
    // What ends a line on the page keeps words apart here; what stands within one does not.
    .replace(/<\/?(?:strong|em|del|a|code|sup|sub)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
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

export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
