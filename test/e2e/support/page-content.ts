import type { Page } from '@playwright/test';

/** What a person reads on the page and where its links lead, in their order. */
export async function contentOf(page: Page) {
  return page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('h1, h2, h3, h4, p, li, dt, dd, td, a')];
    return {
      words: shown
        .filter((element) => element.checkVisibility())
        .map(({ innerText }) => innerText.replace(/\s+/g, ' ')),
      // Except those that only visitors without scripts see.
      links: [...document.links].filter((link) => !link.closest('noscript')).map((link) => link.getAttribute('href')),
    };
  });
}

/** The pictures of the page that did not come. */
export async function missingPictures(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const missing: string[] = [];
    for (const picture of document.images) {
      picture.loading = 'eager';
      await picture.decode().catch(() => missing.push(picture.currentSrc));
    }
    return missing;
  });
}
