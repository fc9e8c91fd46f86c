// @spec 2.editor 2.toast 8.strings decisions.5
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { createPhonePhoto } from '#test/support/photos.ts';
import { clickAndExpectToast } from './support/actions.ts';
import { findAxeViolations } from './support/axe.ts';
import { readHomeStats } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund, signInAsEditor } from './support/new-fund.ts';
import { tellStory } from './support/offsetters.ts';
import { callWithToken, newEmail } from './support/sign-in.ts';

const STORY = 'Our old furnace is gone, and the children sleep in a warm room now.';

const findToasts = (page: Page) => page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Undo' }) });
const storyRow = (page: Page, name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
const measureOverflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function openVisitorPage(browser: Browser): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  return { context, page: await context.newPage() };
}

async function choosePhoto(page: Page): Promise<void> {
  const photo = { name: 'home.jpg', mimeType: 'image/jpeg', buffer: await createPhonePhoto(800) };
  await page.getByLabel('Photo', { exact: true }).setInputFiles(photo);
}

test('an awardee is created, published with consent, counted as a grant, and hidden when consent is revoked', async ({
  page,
  browser,
}) => {
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('teller') })}`;
  const { grants } = await readHomeStats(page, fund);
  await page.goto(`${fund}/editor/awardees`);
  await page.getByRole('link', { name: 'Add awardee' }).click();
  await expect(page.getByRole('heading', { name: 'Add awardee' })).toBeFocused();
  const editorNavigation = page.getByRole('navigation', { name: 'Editor pages' });
  await expect(editorNavigation.getByRole('link', { name: 'Awardees' })).toHaveAttribute('aria-current', 'true');
  const publish = page.getByRole('button', { name: 'Publish' });
  await expect(publish).toBeDisabled();
  await expect(
    page.getByText(/^Still needed to publish: a name, a story of 26 to 10,000 characters, a photo, and consent/),
  ).toBeVisible();
  await page.getByRole('textbox', { name: 'Name' }).fill('The Waverly family');
  await page.getByRole('textbox', { name: 'Story' }).fill(STORY);
  await expect(page.getByRole('region', { name: 'Preview' })).toContainText('The Waverly family');

  // Leaving with unsaved changes prompts for confirmation.
  await editorNavigation.getByRole('link', { name: 'Installers' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await clickAndExpectToast(
    page.getByRole('button', { name: 'Save as draft' }),
    page.getByText('The Waverly family is saved as a draft'),
  );
  const row = storyRow(page, 'The Waverly family');
  await expect(row).toContainText('Draft');
  await expect(row).toContainText('Needs a photo and consent');
  expect((await readHomeStats(page, fund)).grants).toBe(grants);

  await row.getByRole('link', { name: 'Edit' }).click();
  await choosePhoto(page);
  await expect(publish).toBeDisabled();
  await page.getByRole('checkbox', { name: /has agreed/ }).check();
  expect(await findAxeViolations(page)).toEqual([]);
  await clickAndExpectToast(publish, page.getByText('The Waverly family is published'));
  // Until a fund records grants, each published awardee counts as one grant.
  expect((await readHomeStats(page, fund)).grants).toBe(grants + 1);
  const guest = await openVisitorPage(browser);
  await guest.page.goto(`${fund}/awardees`);
  await guest.page.getByRole('link', { name: 'Read more about The Waverly family' }).click();
  await guest.page.waitForURL(/\/awardees\/.+/);
  await expect(guest.page.getByText(STORY)).toBeVisible();
  const storyUrl = guest.page.url();

  await row.getByRole('link', { name: 'Edit' }).click();
  await expect(page.getByText(/^Given: recorded on /)).toBeVisible();
  await page.getByRole('checkbox', { name: /has agreed/ }).uncheck();
  await expect(page.getByText('Saving without consent takes the story off the site.')).toBeVisible();
  await clickAndExpectToast(
    page.getByRole('button', { name: 'Save and hide' }),
    page.getByText('The Waverly family is hidden'),
  );
  await expect(row.getByRole('button', { name: 'Publish' })).toBeHidden();
  expect((await readHomeStats(page, fund)).grants).toBe(grants);
  expect((await guest.page.request.get(storyUrl)).status()).toBe(404);
  await guest.context.close();
});

test('an installer is published and hidden with a click, restored with Undo, and deleted after confirmation', async ({
  page,
}) => {
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('teller') })}`;
  await page.goto(`${fund}/editor/installers`);
  await page.getByRole('link', { name: 'Add installer' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Nora’s Heat Pumps');
  await page.getByRole('textbox', { name: 'Story' }).fill(STORY);
  await choosePhoto(page);
  await expect(page.getByRole('checkbox')).toBeHidden();
  await page.getByRole('button', { name: 'Save as draft' }).click();
  const row = storyRow(page, 'Nora’s Heat Pumps');
  await row.getByRole('button', { name: 'Publish' }).click();
  await expect(row.getByRole('link', { name: 'Nora’s Heat Pumps', exact: true })).toBeVisible();
  await row.getByRole('button', { name: 'Hide' }).click();
  await expect(row).toContainText('Hidden');
  // The toast stays while the pointer is over it.
  await findToasts(page).getByText('Nora’s Heat Pumps is hidden').hover();
  expect(await findAxeViolations(page)).toEqual([]);
  await findToasts(page).getByRole('button', { name: 'Undo' }).click();
  await expect(row.getByRole('button', { name: 'Hide' })).toBeVisible();
  await expect(row).not.toContainText('Published');
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Draft');
  await expect(row).toBeHidden();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('All');
  await expect(row).toBeVisible();
  const nameField = page.getByRole('searchbox', { name: 'Name' });
  await nameField.fill('nobody of this name');
  await nameField.press('Enter');
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(nameField).toHaveValue('');
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(row).toBeVisible();
  expect(await measureOverflow(page)).toBe(0);
  expect(await findAxeViolations(page)).toEqual([]);
  await row.getByRole('button', { name: 'Delete' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Delete installer' });
  await expect(confirmation).toContainText('It can’t be undone.');
  await confirmation.getByRole('button', { name: 'Delete' }).click();
  await expect(row).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Installers', level: 1 })).toBeFocused();
});

test('when two editors edit the same awardee, the second is warned, compares, and chooses', async ({
  page,
  browser,
  expectedErrors,
}) => {
  // The browser logs the rejected call.
  expectedErrors.push('409');
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('teller') })}`;
  const name = 'The Twice-Told family';
  await page.goto(`${fund}/editor/awardees/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('textbox', { name: 'Story' }).fill(`${STORY}\nIt is quiet, too.`);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await storyRow(page, name).getByRole('link', { name: 'Edit' }).click();
  const story = page.getByRole('textbox', { name: 'Story' });
  await expect(story).toHaveValue(/quiet/);
  const otherVisitor = await openVisitorPage(browser);
  await signInAsEditor(otherVisitor.page, 'teller', fund);
  await otherVisitor.page.goto(page.url());
  await otherVisitor.page.getByRole('textbox', { name: 'Story' }).fill(`${STORY}\nIt is quiet, and bright.`);
  await otherVisitor.page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(storyRow(otherVisitor.page, name)).toBeVisible();

  await story.fill(`${STORY}\nIt is quiet at night.`);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  const conflict = page.getByRole('alertdialog', { name: 'Someone else changed this story' });
  await expect(conflict.getByRole('region', { name: 'Comparison' }).locator('del')).toContainText('bright');
  await expect(conflict.getByRole('region', { name: 'Comparison' }).locator('ins')).toContainText('night');
  expect(await findAxeViolations(page)).toEqual([]);
  await conflict.getByRole('button', { name: 'Back to my version' }).click();
  await expect(story).toHaveValue(/night/);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await conflict.getByRole('button', { name: 'Keep theirs, discard mine' }).click();
  await expect(story).toHaveValue(/bright/);
  await story.fill(`${STORY}\nIt is quiet at night, and bright.`);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(storyRow(page, name)).toBeVisible();
  await otherVisitor.context.close();
});

test('a story in review is published from the queue and hidden with Undo; only admins can delete it', async ({
  page,
  browser,
}) => {
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('teller') })}`;
  const setReview = async (reviewStories: boolean) =>
    expect((await callWithToken(page, 'PATCH', fund, { reviewStories })).ok()).toBe(true);
  await setReview(true);
  const name = 'Quentin Queued';
  const donor = await openVisitorPage(browser);
  await tellStory(donor.page, fund, newEmail('queued'), name);
  await expect(donor.page.getByRole('heading', { name })).toBeVisible();
  await page.goto(`${fund}/editor/offsetters`);
  const queueRow = page
    .getByRole('region', { name: /^Waiting for you/ })
    .getByRole('listitem')
    .filter({ hasText: name });
  const decidedRow = page
    .getByRole('region', { name: 'Published and hidden' })
    .getByRole('listitem')
    .filter({ hasText: name });
  await expect(queueRow).toContainText('Waiting');
  expect(await findAxeViolations(page)).toEqual([]);
  await queueRow.getByRole('button', { name: 'Publish' }).click();
  await expect(decidedRow.getByRole('button', { name: 'Hide' })).toBeVisible();
  await expect(queueRow).toBeHidden();
  const address = await decidedRow.getByRole('link', { name }).getAttribute('href');
  expect((await donor.page.request.get(address ?? '')).status()).toBe(200);

  await decidedRow.getByRole('button', { name: 'Hide' }).press('Enter');
  await expect(decidedRow).toContainText('Hidden');
  await expect(decidedRow.getByRole('button', { name: 'Publish' })).toBeFocused();
  expect((await donor.page.request.get(address ?? '')).status()).toBe(404);
  await findToasts(page).getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(decidedRow.getByRole('button', { name: 'Hide' })).toBeVisible();
  await expect(decidedRow.getByRole('button', { name: 'Hide' })).toBeFocused();
  expect((await donor.page.request.get(address ?? '')).status()).toBe(200);

  await expect(page.getByText('Only admins can edit or delete it')).toBeVisible();
  await expect(decidedRow.getByRole('button', { name: 'Delete' })).toBeHidden();
  const response = await callWithToken(page, 'DELETE', (address ?? '').replace(/\/$/, ''));
  expect([response.status(), (await response.json()).detail]).toEqual([403, 'Only admins can do that.']);
  await setReview(false);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(page.getByText('New stories are published right away.')).toBeVisible();
  expect(await measureOverflow(page)).toBe(0);
  await donor.context.close();
});

// @asvs 3.2.2
test('scripts in a name, a story, or an SVG photo never run', async ({ page, expectedErrors }) => {
  // The browser logs the rejected call.
  expectedErrors.push('415');
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('teller') })}`;
  await page.addInitScript(() => {
    window.addEventListener('securitypolicyviolation', () =>
      document.documentElement.setAttribute('data-violated', ''),
    );
  });
  await page.goto(`${fund}/editor/awardees/new`);
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  const name = 'Mallory <img src=x onerror=alert(1)>';
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page
    .getByRole('textbox', { name: 'Story' })
    .fill(`${hostile} [a link](javascript:alert(1)) and many words more.`);
  await page.getByRole('checkbox', { name: /has agreed/ }).check();
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=3"/>');
  const photo = page.getByLabel('Photo', { exact: true });
  await photo.setInputFiles({ name: 'me.svg', mimeType: 'image/svg+xml', buffer: svg });
  await expect(
    page.getByText(
      'Please choose a JPEG, PNG, WebP, or AVIF photo. If yours is an iPhone HEIC photo, export it as a JPEG first.',
    ),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish' })).toBeDisabled();
  await photo.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: svg });
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(
    page.getByText(
      'Please choose a JPEG, PNG, WebP, or AVIF photo. If yours is an iPhone HEIC photo, export it as a JPEG first.',
    ),
  ).toBeVisible();
  await choosePhoto(page);
  await page.getByRole('button', { name: 'Publish' }).click();
  await storyRow(page, 'Mallory')
    .getByRole('link', { name: /^Mallory/ })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<img src=x');
  await expect(page.getByRole('main')).toContainText('<script>document.title=2</script>');
  expect(await page.title()).toContain('Mallory');
  await expect(page.locator('html')).not.toHaveAttribute('data-violated');
  expect(await page.getByRole('main').locator('script, img[src="x"], a[href^="javascript"]').count()).toBe(0);
});
