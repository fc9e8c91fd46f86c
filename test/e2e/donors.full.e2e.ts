// @spec 2.editor decisions.3
// Slow because it makes two gifts and checks several pages for accessibility.
import { readFile } from 'node:fs/promises';
import { findAxeViolations, findOverflow } from './support/axe.ts';
import { giveByCard } from './support/giving.ts';
import { expect, LONG_TIMEOUT, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { newEmail } from './support/sign-in.ts';

test('a treasurer finds a donor, writes a note, merges two donors, and downloads the list', { tag: '@full' }, async ({
  page,
  browser,
}) => {
  test.setTimeout(LONG_TIMEOUT);
  const orgid = await openNewFund(page);
  const [home, work] = [newEmail('giver.home'), newEmail('giver.work')];
  const visitor = await browser.newContext();
  const donor = await visitor.newPage();
  await giveByCard(donor, `/orgs/${orgid}`, 40, home, { recurring: 'month' });
  await giveByCard(donor, `/orgs/${orgid}`, 25, work);
  await visitor.close();

  await page.goto(`/orgs/${orgid}/editor/donors`);
  const rows = page.getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Totals for these donors' })).toContainText(
    'Donors2Lifetime giving$65.00',
  );
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);
  await page.getByLabel('Name or email').fill(home);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('$40.00');
  await rows.nth(1).getByRole('link').click();

  await expect(page.getByRole('region', { name: 'Gifts', exact: true })).toContainText('$40.00');
  await page.getByLabel('Add a note for your team').fill('Met at the farmers’ market');
  await page.getByRole('button', { name: 'Add note' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'farmers’ market' })).toBeVisible();
  await page.getByRole('button', { name: 'Merge donors' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Other donor’s name or email').fill(work);
  await dialog.getByRole('button', { name: 'Search' }).click();
  await dialog.getByRole('radio').first().check();
  await dialog.getByLabel('Reason').fill('The same person');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Merged donors' })).toContainText(work);
  await expect(page.getByText('$65.00').first()).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
  expect(await findOverflow(page)).toEqual([]);

  await page.getByRole('link', { name: 'All donors' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toMatch(/^\ufeffName,Email,/);
  expect(csv).toContain(home);
  await page.getByRole('link', { name: 'Recurring gifts' }).click();
  await expect(page.getByText('$40.00 a month.')).toBeVisible();
  expect(await findAxeViolations(page)).toEqual([]);
});
