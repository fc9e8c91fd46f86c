import { findAccessibilityProblems } from './support/axe.ts';
import { fillCart } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';
import { openNewFund } from './support/new-fund.ts';
import { callWithToken, postCall } from './support/sign-in.ts';

test('"Where every pound goes" lists a paid grant by year, in both languages and as files', async ({ page }) => {
  const orgId = await openNewFund(page);
  await page.goto(`/orgs/${orgId}`);
  await page.getByRole('main').getByRole('link', { name: 'Where every pound goes' }).click();
  await expect(page.getByText('No one has bought an offset from Small Fund yet.')).toBeVisible();

  const { token }: { token: string } = await (await postCall(page, '/session/token')).json();
  const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' };
  const multipart = { name: 'The Okafor family', story: 'The attic was cold, and now it is warm all winter.' };
  const awardee = await page.request.post(`/api/orgs/${orgId}/awardees`, { headers, multipart });
  const { id: awardeeId }: { id: string } = await awardee.json();
  const grant = `/orgs/${orgId}/grants/${orgId}-grant`;
  const grantBody = {
    awardeeid: awardeeId,
    appliedOn: '2025-01-10',
    amount: 1500,
    measures: ['attic-insulation'],
    yearlyPounds: 1404,
    years: 20,
    method: 'deemed',
    methodSource: 'EPA',
    publicFields: ['amount', 'measures', 'savings'],
  };
  for (const [path, body] of [
    ['', grantBody],
    ['/payment', { on: '2025-02-01', amount: 1500 }],
    ['/work', { doneOn: '2025-03-01', inspectedOn: null }],
  ] as const)
    expect((await callWithToken(page, 'PUT', grant + path, body)).ok()).toBe(true);
  expect((await callWithToken(page, 'PATCH', `/orgs/${orgId}`, { statsDelta: { grants: 31 } })).ok()).toBe(true);

  await fillCart(page, `/orgs/${orgId}`);
  await expect(page.getByRole('tabpanel')).toContainText('over about 20 years: about 10% in the first two');
  await page.goto(`/orgs/${orgId}/pounds`);
  await expect(page.getByText('The one home with a grant')).toBeVisible();
  await expect(page.getByText('32 grants: 1 tracked on this site, 31 reported by the fund.')).toBeVisible();
  for (const summary of await page.locator('summary').all()) await summary.click();
  // The amount of a single hidden home must not be revealed.
  await expect(page.getByText('Some amounts are hidden')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('$1,500');
  await expect(page.getByText('entered manually: 31 grants. They aren’t in the ledger')).toBeVisible();
  await expect(page.getByRole('row', { name: /^2030 0 0 1,403/ })).toBeVisible();
  const years = page.getByRole('slider', { name: 'Pounds that homes save, year by year: column by column' });
  await years.press('Home');
  await expect(years).toHaveAttribute('aria-valuetext', /^2025: Saved so far 1,176/);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^every-pound_.*\.csv$/);
  await page.goto(`/es/orgs/${orgId}/pounds`);
  await expect(page.getByText('El único hogar con una subvención')).toBeVisible();
});

test('on a small phone, every column of the pounds page is visible in both languages', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const language of ['', '/es']) {
    await page.goto(`${language}${ORG}/pounds`);
    for (const summary of await page.locator('summary').all()) await summary.click();
    const tables = page.getByRole('main').getByRole('table').locator('..');
    await expect(tables).toHaveCount(4);
    const hiddenColumns = await tables.evaluateAll((elements) =>
      elements.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
    );
    expect(hiddenColumns).toEqual([0, 0, 0, 0]);
  }
});
