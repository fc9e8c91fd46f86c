import { PAGES } from '#contract/pages.ts';
import { findingsOn } from './support/axe.ts';
import { expect, ORG, test } from './support/journey.ts';
import { adminEmail, signInAs } from './support/signing-in.ts';

test('an admin sees what visitors’ browsers blocked', async ({ page, expectedErrors }) => {
  expectedErrors.push('Content Security Policy');
  await page.goto(ORG);
  const sent = page.waitForRequest('**/api/policy-reports');
  await page.evaluate(() => {
    new Image().src = 'https://tracker.example/pixel.gif?who=ada';
  });
  expect((await (await sent).response())?.status()).toBe(204);
  await signInAs(page, adminEmail());
  await page.goto(PAGES['all-activity-page']);
  await page.getByText('Blocked by visitors’ browsers in the last 30 days').click();
  await expect(page.getByText('https://tracker.example (img-src)')).toBeVisible();
  await expect(page.getByText(/^on \/orgs\/:orgid, \w+( times)?, last /)).toBeVisible();
  expect(await findingsOn(page)).toEqual([]);
});
