import type { BrowserContext, Page } from '@playwright/test';
import { expect, ORG, test } from './support/journey.ts';

const OFFLINE = 'Failed to get document because the client is offline.';

/** Waits until the worker is there and holds the address, which it keeps after the page is shown. */
async function kept(context: BrowserContext, address: string): Promise<void> {
  const [page] = context.pages();
  await expect
    .poll(() =>
      page?.evaluate(async (url) => (await caches.match(new URL(url, location.origin).href)) !== undefined, address),
    )
    .toBe(true);
}

/** The address of the style of a part of the program. */
async function styleOf(page: Page, part: string): Promise<string> {
  const style = page.locator(`link[rel="stylesheet"][href*="${part}"]`);
  return (await style.getAttribute('href')) ?? '';
}

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: ['ERR_INTERNET_DISCONNECTED', 'ERR_FAILED'] });

  test('pages seen before open again, others say that the client is offline, and all is well when it is back', async ({
    page,
    context,
  }) => {
    await page.goto(ORG);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await kept(context, ORG);
    await page.goto(`${ORG}/faqs`);
    await kept(context, `${ORG}/faqs`);
    await page.getByRole('banner').getByRole('link', { name: 'Offsetters' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Offsetters' })).toBeVisible();
    await kept(context, '/api/orgs/sample/offsetters');
    await kept(context, await styleOf(page, 'story-list-page'));

    await context.setOffline(true);
    await page.goto(`${ORG}/faqs`);
    await expect(page.getByRole('heading', { level: 1, name: 'FAQs' })).toBeVisible();
    // Seen as a page of the running program, and not as a document of its own.
    await page.goto(`${ORG}/offsetters`);
    await expect(page.getByRole('heading', { level: 1, name: 'Offsetters' })).toBeVisible();
    await expect(page.getByRole('article').first()).toBeVisible();
    // Seen as a document, and led to by a link.
    await page.getByRole('banner').getByRole('link', { name: 'FAQ' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'FAQs' })).toBeVisible();

    await page.goto(`${ORG}/installers`);
    await expect(page.getByText(OFFLINE)).toBeVisible();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Installers' })).toBeVisible();
  });
});
