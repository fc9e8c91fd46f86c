import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EMBED_SCRIPT, embedPath } from '#contract/embed.ts';
import { SAMPLE_EDITOR } from '#scripts/sample/sample-org.ts';
import { findAccessibilityProblems } from './support/axe.ts';
import { expect, ORG, test, waitUntilInteractive } from './support/journey.ts';
import { signInAs } from './support/sign-in.ts';

/**
 * Serves another site's page on another port. Its content security policy allows the fund's site but nothing inline.
 */
async function openForeignPage(embedCode: string, fund: string) {
  const policy = `default-src 'none'; frame-src ${fund}; script-src ${fund}; img-src ${fund}`;
  const server = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
      .end(
        `<!doctype html><html lang="en"><title>A school</title><link rel="icon" href="data:,"><h1>A school</h1>${embedCode}`,
      ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

test('a drive estimated on another site opens in a new tab with its offset in the cart', async ({
  page,
  baseURL,
  expectedErrors,
}) => {
  // The content security policy blocks the page's empty favicon.
  expectedErrors.push('data:,');
  await signInAs(page, SAMPLE_EDITOR.email);
  await page.goto(`${ORG}/editor/share`);
  const embedCode = await page.getByRole('textbox', { name: 'Code to paste into the website' }).inputValue();
  const fund = new URL(baseURL ?? '').origin;
  expect(embedCode).toContain(`${fund}${ORG}/embed`);
  expect(await findAccessibilityProblems(page), 'the share page').toEqual([]);
  // The editor's login must not be mistaken for a cookie of the frame.
  await page.context().clearCookies();

  const foreignPage = await openForeignPage(embedCode, fund);
  await page.goto(foreignPage.url);
  const element = page.getByTitle('carbon calculator');
  const frame = element.contentFrame();
  const badge = page.getByRole('img', { name: /: totals so far$/ });
  await badge.scrollIntoViewIfNeeded();
  await expect.poll(() => badge.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
  await frame.getByRole('spinbutton', { name: 'Trip mileage' }).fill('500');
  const initialHeight = Number(await element.getAttribute('height'));
  await frame.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(frame.getByRole('status')).toHaveText('1,571 lbs of carbon');
  // The frame is as tall as its content, so nothing is cut off or scrolls inside.
  const contentHeight = () => frame.locator('body').evaluate((body) => Math.ceil(body.getBoundingClientRect().height));
  await expect.poll(async () => Number(await element.getAttribute('height')) - (await contentHeight())).toBe(0);
  expect(await contentHeight()).toBeGreaterThan(initialHeight);
  // Messages from another site or another frame change nothing.
  await page.evaluate(() => window.postMessage({ cityClimateFundHeight: 3000 }, '*'));

  const openedPopup = page.waitForEvent('popup');
  await frame.getByRole('link', { name: 'Offset it for $19.64' }).click();
  const tab = await openedPopup;
  await waitUntilInteractive(tab);
  const cart = tab.getByRole('tabpanel');
  await expect(cart).toContainText('Car travel');
  await expect(cart).toContainText('$19.64');
  await expect(cart).toContainText('500 miles');
  await expect(tab.getByRole('button', { name: 'Checkout' })).toBeEnabled();
  // The item is in the cart once, even after a reload.
  await tab.reload();
  await waitUntilInteractive(tab);
  await expect(tab.getByRole('button', { name: /^Remove Car travel/ })).toHaveCount(1);
  expect(await element.getAttribute('height')).not.toBe('3000');
  expect(await page.context().cookies(fund)).toEqual([]);
  await foreignPage.close();

  const pageWithDefaults = await openForeignPage(
    embedCode.replace('<iframe ', '<iframe data-form="quick" data-amount="50" '),
    fund,
  );
  // Delays the script, which changes the frame's address, because Playwright loses track of a frame that is still
  // loading its first page.
  await page.route(`**${EMBED_SCRIPT}`, async (route) => {
    await frame.getByRole('button', { name: 'Calculate Offset' }).waitFor();
    await route.continue();
  });
  await page.goto(pageWithDefaults.url);
  await frame.getByLabel('For what period?').selectOption('Quarter');
  await frame.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(frame.getByRole('status')).toHaveText('2,166 lbs of carbon');
  const openInNewTab = async (name: string) => {
    const popup = page.waitForEvent('popup');
    await frame.getByRole('link', { name }).click();
    return popup;
  };
  await expect((await openInNewTab('Offset it for $27.08')).getByRole('tabpanel')).toContainText('$27.08');
  const donate = await openInNewTab('Donate $50');
  await expect(donate.getByRole('textbox', { name: 'Amount' })).toHaveValue('50');
  await pageWithDefaults.close();

  await page.goto(`${embedPath('sample', 'en')}?what=quick&type=car&time=year&amount=50`);
  expect(await findAccessibilityProblems(page), 'the quick calculator').toEqual([]);
  await page.goto(`${embedPath('sample', 'en')}?what=car&miles=500&mpg=25`);
  expect(await findAccessibilityProblems(page), 'the calculator').toEqual([]);
});
