import type { FaqHeading } from '#domain/faq.ts';
import { plainText } from './plain-text.ts';

/** The FAQ's table of contents (§2) as plain text: the headings that got an id when the FAQ was rendered. */
export function faqHeadings(html: string): FaqHeading[] {
  return [...html.matchAll(/<h3 id="([^"]*)">(.*?)<\/h3>/gs)].map(([, id = '', words = '']) => ({
    id,
    text: plainText(words),
  }));
}
