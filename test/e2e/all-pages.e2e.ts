// @spec 2.awardees 2.editor 2.awardee-screen decisions.4
// Slow because axe checks every page.
import type { Page } from '@playwright/test';
import { splitLanguage } from '#contract/languages.ts';
import { findPage, isRenderedPage, type PageName, pagePath } from '#contract/pages.ts';
import { RUNS_ALL } from '#scripts/test/test-selection.ts';
import { findAccessibilityProblems, findAxeViolations, findOverflow } from './support/axe.ts';
import { findFocusProblems } from './support/focus-order.ts';
import { giveByCard } from './support/giving.ts';
import { expect, LONG_TIMEOUT, test } from './support/journey.ts';
import { signInAsEditor } from './support/new-fund.ts';
import { findMissingPictures, readContent } from './support/page-content.ts';
import { findPictureProblems, measureShifts } from './support/picture-problems.ts';
import { awaitEmail, newEmail, nextAdminEmail, signInAs } from './support/sign-in.ts';
import { listVisits, VISITS, type Visitor } from './support/visits.ts';

/** Opens a page, and waits until it has replaced any preview and shows its data. */
async function openPage(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await expect.poll(() => findPage(splitLanguage(new URL(page.url()).pathname).rest)?.name).toBe(name);
  // The preview of a page has its heading but is inert.
  await expect(page.locator('h1:not([inert] *)')).toHaveCount(1);
}

/** Visits every page of a visitor at every width, and expects no problems. */
async function visitAll(page: Page, visitor: Visitor, knownPath = ''): Promise<void> {
  for (const { name, path, redirectsTo = name } of listVisits(visitor)) {
    await openPage(page, path(knownPath), redirectsTo);
    if (redirectsTo !== name) continue;
    expect.soft(await page.title(), name).not.toBe('');
    expect.soft(await findAxeViolations(page), name).toEqual([]);
    expect.soft(await findOverflow(page), name).toEqual([]);
  }
}

/** Finds elements that move although the visitor prefers reduced motion. */
function findMovingElements(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => {
        const { animationName, transitionDuration } = getComputedStyle(element);
        return animationName !== 'none' || transitionDuration.split(', ').some((time) => time !== '0s');
      })
      .map(({ tagName, className }) => `${tagName} ${String(className)}`),
  );
}

/** Everyone can reach these pages without logging in. The tests below run in parallel. */
const PUBLIC_VISITS = listVisits('anybody');
const PARTS = 3;
/** All other pages use only elements that appear on these. */
const REPRESENTATIVE_PAGES: readonly PageName[] = ['home-page', 'donate-page', 'offsetter-page', 'login-page'];

/** Calls whose responses arrive with the page, and calls about a session, which a visitor doesn't have. */
const RENDERED_CALLS = /^\/api\/(?:site|session|orgs\/[^/]+(?:$|\/(?:cells|offsetters|awardees|installers)))/;

test.describe('every page passes all checks for every role at every width', () => {
  // In `npm run test:all`, the journeys below visit these pages too.
  if (!RUNS_ALL) {
    test('representative pages', async ({ page }) => {
      for (const name of REPRESENTATIVE_PAGES) {
        await openPage(page, VISITS[name].path(''), name);
        expect.soft(await findAccessibilityProblems(page), name).toEqual([]);
      }
    });
  }

  for (let part = 0; part < PARTS; part += 1) {
    const visits = PUBLIC_VISITS.filter((_, index) => index % PARTS === part);

    test(`visitors’ pages, with and without scripts, by mouse and by keyboard: part ${part + 1}`, {
      tag: '@full',
    }, async ({ page, browser }) => {
      test.setTimeout(LONG_TIMEOUT);
      await page.setViewportSize({ width: 1280, height: 800 });
      await measureShifts(page);
      const pageWithoutScripts = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
      const calls: { readonly page: string; readonly call: string }[] = [];
      page.on('request', (request) =>
        calls.push({ page: request.frame().url(), call: new URL(request.url()).pathname }),
      );
      for (const { name, path, redirectsTo = name } of visits) {
        calls.length = 0;
        await openPage(page, path(''), redirectsTo);
        expect.soft(await page.title(), name).not.toBe('');
        if (isRenderedPage(name)) {
          expect.soft(await findPictureProblems(page), name).toEqual([]);
          await pageWithoutScripts.goto(path(''));
          const [contentWithoutScripts, contentWithScripts] = [
            await readContent(pageWithoutScripts),
            await readContent(page),
          ];
          expect.soft(await findMissingPictures(pageWithoutScripts), name).toEqual([]);
          expect.soft(contentWithoutScripts.texts, name).toEqual(expect.arrayContaining(contentWithScripts.texts));
          expect.soft(contentWithoutScripts.links, name).toEqual(contentWithScripts.links);
          // The previous page may still be preloading its links.
          const pageCalls = calls.filter((request) => request.page === page.url()).map(({ call }) => call);
          const repeatedCalls = pageCalls.filter((call) => RENDERED_CALLS.test(call));
          expect.soft(repeatedCalls, name).toEqual([]);
        }
        if (redirectsTo !== name) continue;
        expect.soft(await findMovingElements(page), name).toEqual([]);
        expect.soft(await findAxeViolations(page), name).toEqual([]);
        const goesBack = REPRESENTATIVE_PAGES.includes(name);
        expect.soft(await findFocusProblems(page, { goesBack }), name).toEqual([]);
        expect.soft(await findOverflow(page), name).toEqual([]);
      }
      await pageWithoutScripts.context().close();
    });
  }

  test('visitors’ pages in Spanish, with longer words, and their pictures on a phone', { tag: '@full' }, async ({
    page,
  }) => {
    test.setTimeout(LONG_TIMEOUT);
    await page.setViewportSize({ width: 390, height: 800 });
    await measureShifts(page);
    for (const { name, path, redirectsTo = name } of PUBLIC_VISITS) {
      const address = path('');
      await openPage(page, address === '/' ? '/es' : `/es${address}`, redirectsTo);
      expect.soft(await page.evaluate(() => document.documentElement.lang), name).toBe('es');
      if (redirectsTo !== name) continue;
      if (isRenderedPage(name)) expect.soft(await findPictureProblems(page), name).toEqual([]);
      expect.soft(await findOverflow(page), name).toEqual([]);
    }
  });

  test('a donor’s pages after paying, from a recurring gift’s email, and when logged in', { tag: '@full' }, async ({
    page,
    fund,
  }) => {
    const email = newEmail('visiting.giver');
    const address = await giveByCard(page, fund, 25, email, { recurring: 'month' });
    await visitAll(page, 'payer', new URL(address).pathname);
    const { text } = await awaitEmail(email, 'Manage your gift');
    await visitAll(page, 'recurring giver', /\/orgs\/\S+\/gifts\/[\w-]+(?=\s)/.exec(text)?.[0]);
    await visitAll(page, 'receipt reader', /\/orgs\/\S+\/gifts\/[\w-]+\/homes/.exec(text)?.[0]);
    await signInAs(page, email);
    await visitAll(page, 'signed in');
  });

  test('an admin’s pages', { tag: '@full' }, async ({ page }) => {
    await signInAs(page, nextAdminEmail());
    await visitAll(page, 'admin');
  });

  test('an editor’s pages', { tag: '@full' }, async ({ page }) => {
    test.setTimeout(LONG_TIMEOUT);
    await signInAsEditor(page, 'visiting.editor');
    await visitAll(page, 'editor');
    await page.goto(pagePath('donors-page', { orgid: 'sample' }));
    const donor = await page.getByRole('table').getByRole('link').first().getAttribute('href');
    await visitAll(page, 'treasurer', donor ?? '');
  });
});
