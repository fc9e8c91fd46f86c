// @spec 8.offline decisions.6
import type { Page } from '@playwright/test';
import { expect, ORG, test } from './support/journey.ts';

const OFFLINE = 'Failed to get document because the client is offline.';

/** Waits until the worker has cached an address and all styles of the page, which happens after the page is shown. */
async function waitUntilCached(page: Page, address: string): Promise<void> {
  const areAllCached = async (url: string) => {
    const styles = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(({ href }) => href);
    const cacheHits = await Promise.all(
      [new URL(url, location.origin).href, ...styles].map((cachedUrl) => caches.match(cachedUrl)),
    );
    return cacheHits.every((response) => response !== undefined);
  };
  await expect.poll(() => page.evaluate(areAllCached, address)).toBe(true);
}

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: ['ERR_INTERNET_DISCONNECTED', 'ERR_FAILED'] });

  test('offline, visited pages open and other pages show an offline notice until the client reconnects', async ({
    page,
    context,
  }) => {
    await page.goto(ORG);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await waitUntilCached(page, ORG);
    await page.goto(`/es${ORG}/faqs`);
    await waitUntilCached(page, '/es/offline');
    await page.goto(`${ORG}/faqs`);
    await waitUntilCached(page, `${ORG}/faqs`);
    await page.getByRole('banner').getByRole('link', { name: 'Offsetters' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Offsetters' })).toBeVisible();
    await waitUntilCached(page, '/api/orgs/sample/offsetters?max=12');

    await context.setOffline(true);
    // The notice uses the requested page's language and address.
    await page.goto(`/es${ORG}/installers`);
    await expect(page.getByRole('heading', { level: 1, name: 'No hay conexión' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`/es${ORG}/installers`);
    await page.goto(`${ORG}/faqs`);
    await expect(page.getByRole('heading', { level: 1, name: 'FAQs' })).toBeVisible();
    // This page was previously visited through in-app navigation, not loaded as a document.
    await page.goto(`${ORG}/offsetters`);
    await expect(page.getByRole('heading', { level: 1, name: 'Offsetters' })).toBeVisible();
    await expect(page.getByRole('article').first()).toBeVisible();
    // This page was previously loaded as a document and is now opened through a link.
    await page.getByRole('banner').getByRole('link', { name: 'FAQ' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'FAQs' })).toBeVisible();

    await page.goto(`${ORG}/installers`);
    await expect(page.getByText(OFFLINE)).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Go to the home page' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Warm homes are climate action' })).toBeVisible();
    await page.goto(`${ORG}/installers`);
    await expect(page.getByText(OFFLINE)).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Installers' })).toBeVisible();
  });

  test('a page that fails to load keeps the menu and footer and loads on "Try again"', async ({ page }) => {
    await page.goto(`${ORG}/faqs`);
    await page.route('**/api/**', (route) => route.abort('failed'));
    await page.getByRole('banner').getByRole('link', { name: 'Installers' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'You’re offline' })).toBeVisible();
    await expect(page).toHaveTitle(/^You’re offline/);
    await expect(page.getByText(OFFLINE)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toContainText('is a program of Sample Civic Organization.');
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Installers' })).toBeVisible();
    await expect(page.getByRole('article').first()).toBeVisible();
  });
});
