import type { Page } from '@playwright/test';

/** Visible text and link targets of the page, in order. */
export async function readContent(page: Page) {
  return page.evaluate(() => {
    const textElements = [...document.querySelectorAll<HTMLElement>('h1, h2, h3, h4, p, li, dt, dd, td, a')];
    return {
      texts: textElements
        .filter((element) => element.checkVisibility())
        .map(({ innerText }) => innerText.replace(/\s+/g, ' ')),
      // Excludes elements that only visitors without scripts see.
      links: [...document.links].filter((link) => !link.closest('noscript')).map((link) => link.getAttribute('href')),
    };
  });
}

/** Finds the page's pictures that fail to load. */
export async function findMissingPictures(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const failedSources: string[] = [];
    for (const picture of document.images) {
      picture.loading = 'eager';
      await picture.decode().catch(() => failedSources.push(picture.currentSrc));
    }
    return failedSources;
  });
}
