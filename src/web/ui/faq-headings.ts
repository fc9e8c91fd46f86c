import type { FaqHeading } from '#domain/faq.ts';
import { plainText } from './plain-text.ts';

/** FAQ questions under a ## heading; `title` is undefined before the first one. */
export type FaqGroup = { readonly title: string | undefined; readonly questions: readonly FaqHeading[] };

/** The FAQ's table of contents (§2) as plain text: the headings that got an id when the FAQ was rendered. */
export function faqHeadings(html: string): FaqHeading[] {
  return [...html.matchAll(/<h3 id="([^"]*)">(.*?)<\/h3>/gs)].map(([, id = '', words = '']) => ({
    id,
    text: plainText(words),
  }));
}

/** The table of contents, by group. A group without questions isn't listed. */
export function faqGroups(html: string): FaqGroup[] {
  const groups = html.split(/(?=<h2>)/).map((part) => {
    const title = /^<h2>(.*?)<\/h2>/s.exec(part)?.[1];
    return { title: title && plainText(title), questions: faqHeadings(part) };
  });
  return groups.filter(({ questions }) => questions.length > 0);
}
