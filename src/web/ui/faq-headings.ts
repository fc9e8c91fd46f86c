import type { FaqHeading } from '#domain/faq.ts';
import { toPlainText } from './plain-text.ts';

/** FAQ questions under a ## heading; `title` is undefined before the first one. */
export type FaqGroup = { readonly title: string | undefined; readonly questions: readonly FaqHeading[] };

/** The FAQ's table of contents (§2) as plain text: the headings that the server rendered with an id. */
export function parseFaqHeadings(html: string): FaqHeading[] {
  return [...html.matchAll(/<h3 id="([^"]*)">(.*?)<\/h3>/gs)].map(([, id = '', headingHtml = '']) => ({
    id,
    text: toPlainText(headingHtml),
  }));
}

/** The table of contents, by group. A group without questions isn't listed. */
export function parseFaqGroups(html: string): FaqGroup[] {
  const groups = html.split(/(?=<h2>)/).map((part) => {
    const title = /^<h2>(.*?)<\/h2>/s.exec(part)?.[1];
    return { title: title && toPlainText(title), questions: parseFaqHeadings(part) };
  });
  return groups.filter(({ questions }) => questions.length > 0);
}

/**
 * Collapses each answer below its question. If questions are inside a list, a quotation, or a table, the text stays
 * unchanged, because a `details` element can't start in one element and end in another.
 */
export function collapseAnswers(html: string): string {
  const parts = html.split(/(?=<h2>|<h3 id=)/);
  if (!parts.every(isBalanced)) return html;
  return parts
    .map((part) => part.replace(/^(<h3 id=.*?<\/h3>)(.*)$/s, '<details><summary>$1</summary>$2</details>'))
    .join('');
}

function isBalanced(html: string): boolean {
  const count = (pattern: RegExp) => html.match(pattern)?.length ?? 0;
  return count(/<(?:ul|ol|li|blockquote|table|td|th)\b/g) === count(/<\/(?:ul|ol|li|blockquote|table|td|th)>/g);
}
