import type { Page } from '@playwright/test';

/** What a page says, blanks aside, and what in it would run at a press, or was never meant to be there. */
export type Sight = { readonly text: string; readonly alien: readonly string[] };

/** What was planted is shown soon: the program hears of it from the database. */
const PATIENCE_MS = 10_000;

/** What is alien once the words stand there, blanks aside; and which of them do not come to stand there. */
export async function seenWith(words: readonly string[], look: () => Promise<Sight>): Promise<string[]> {
  const wanted = words.map(withoutBlanks);
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const { text, alien } = await look();
    const missing = wanted.filter((each) => !text.includes(each));
    if (missing.length === 0 || Date.now() > until)
      return [...alien, ...missing.map((each) => `it does not show ${each}`)];
  }
}

/** Also without the mark at the beginning of a text, which a file or a field may lose. */
function withoutBlanks(text: string): string {
  return text.replace(/[\s\uFEFF]+/g, '');
}

/**
 * Looks at a page, or at a document, with the eyes of the browser.
 * @param known the program's own scripts
 * @param html a document to read in place of the one that is open
 */
export async function sightOf(page: Page, known: readonly string[], html?: string): Promise<Sight> {
  const sight = await page.evaluate(
    ([source, ours]) => {
      const shown = source === undefined ? document : new DOMParser().parseFromString(source, 'text/html');
      const all = [...shown.querySelectorAll('*')];
      const attributes = all.flatMap(({ attributes: own }) => [...own]);
      const leadsAstray = (value: string) => {
        const protocol = URL.parse(value, 'http://site.invalid/')?.protocol ?? '';
        return !['', 'http:', 'https:', 'mailto:', 'blob:', 'data:'].includes(protocol);
      };
      const active = attributes.filter(
        ({ name, value }) =>
          /^on/i.test(name) || (/^(?:.*:)?(?:href|src|action|formaction)$/i.test(name) && leadsAstray(value)),
      );
      const elements = shown.querySelectorAll(
        'main :is(script, iframe, object, embed, base, meta, style, form[action])',
      );
      const scripts = [...shown.querySelectorAll('script:not([src], [type$="json"])')];
      const alien = [
        ...active.map(({ name, value }) => `the attribute ${name}="${value}"`),
        ...[...elements, ...scripts.filter(({ textContent }) => !ours.includes(textContent))].map(
          ({ outerHTML }) => `the element ${outerHTML.slice(0, 120)}`,
        ),
      ];
      return { text: shown.body.textContent, alien };
    },
    [html, known] as const,
  );
  return { ...sight, text: withoutBlanks(sight.text) };
}
