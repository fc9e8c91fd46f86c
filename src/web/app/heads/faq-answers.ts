import type { Cell } from '#contract/schemas/cells.ts';
import { faqContents } from '#domain/faq.ts';
import { plainText } from './plain-text.ts';

export type FaqAnswer = { readonly question: string; readonly answer: string };

/** The questions of the FAQ's table of contents (§2), each with the words that stand below its heading. */
export function faqAnswers({ markdown, html }: Pick<Cell, 'markdown' | 'html'>): FaqAnswer[] {
  const ids = new Set(faqContents(markdown).map(({ id }) => id));
  // Each part of the text after the first begins with its heading.
  return html.split(/(?=<h[1-3][ >])/).flatMap((part) => {
    const [heading = '', id = '', words = ''] = /^<h3 id="([^"]*)">(.*?)<\/h3>/s.exec(part) ?? [];
    const answer = plainText(part.slice(heading.length));
    return ids.has(id) && answer ? [{ question: plainText(words), answer }] : [];
  });
}
