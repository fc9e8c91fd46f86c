import type { Page } from '@playwright/test';

/** A page's text without whitespace, and the elements that aren't ours or could run a script. */
export type PageContent = { readonly text: string; readonly unsafeElements: readonly string[] };

/** How long to wait for planted text. It's usually quick, because the database notifies the program. */
const APPEARANCE_TIMEOUT_MS = 10_000;

/** Reads the page until it shows all words. @returns elements that aren't ours, and words that never appeared */
export async function findProblems(words: readonly string[], readPage: () => Promise<PageContent>): Promise<string[]> {
  const expectedWords = words.map(withoutWhitespace);
  const deadline = Date.now() + APPEARANCE_TIMEOUT_MS;
  for (;;) {
    const { text, unsafeElements } = await readPage();
    const missing = expectedWords.filter((word) => !text.includes(word));
    if (missing.length === 0 || Date.now() > deadline)
      return [...unsafeElements, ...missing.map((word) => `missing text: ${word}`)];
  }
}

/** Also removes the byte order mark, which a file or a field may drop from the beginning of a text. */
function withoutWhitespace(text: string): string {
  return text.replace(/[\s\uFEFF]+/g, '');
}

/**
 * Reads the text and the unsafe elements of a page or document in the browser.
 * @param ownScripts the program's own scripts
 * @param html a document to parse instead of the open page
 */
export async function readContent(page: Page, ownScripts: readonly string[], html?: string): Promise<PageContent> {
  const content = await page.evaluate(
    ([source, siteScripts]) => {
      const dom = source === undefined ? document : new DOMParser().parseFromString(source, 'text/html');
      const allElements = [...dom.querySelectorAll('*')];
      const attributes = allElements.flatMap(({ attributes: elementAttributes }) => [...elementAttributes]);
      const isUnsafeLink = (value: string) => {
        const protocol = URL.parse(value, 'http://site.invalid/')?.protocol ?? '';
        return !['', 'http:', 'https:', 'mailto:', 'tel:', 'blob:', 'data:'].includes(protocol);
      };
      const activeAttributes = attributes.filter(
        ({ name, value }) =>
          /^on/i.test(name) || (/^(?:.*:)?(?:href|src|action|formaction)$/i.test(name) && isUnsafeLink(value)),
      );
      const elements = dom.querySelectorAll('main :is(script, iframe, object, embed, base, meta, style, form[action])');
      const scripts = [...dom.querySelectorAll('script:not([src], [type$="json"])')];
      const unsafeElements = [
        ...activeAttributes.map(({ name, value }) => `the attribute ${name}="${value}"`),
        ...[...elements, ...scripts.filter(({ textContent }) => !siteScripts.includes(textContent))].map(
          ({ outerHTML }) => `the element ${outerHTML.slice(0, 120)}`,
        ),
      ];
      return { text: dom.body.textContent, unsafeElements };
    },
    [html, ownScripts] as const,
  );
  return { ...content, text: withoutWhitespace(content.text) };
}
