// @spec 1.admins 2.editor 2.admin 2.test 2.admin-screen 2.org-settings 4.create-org 5.org 6.editors 6.admin
// @spec 7.create-org 7.header decisions.3
import type { Page } from '@playwright/test';
import { createPhonePhoto } from '#test/support/photos.ts';
import { type Actions, createActionCounter } from './support/actions.ts';
import { findAccessibilityProblems } from './support/axe.ts';
import { CARDS } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { createFund, openNewFund } from './support/new-fund.ts';
import { awaitEmail, newEmail, nextAdminEmail, readEmails, signInAs } from './support/sign-in.ts';

const MAX_ACTIONS = 40;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

const photoField = (page: Page) => page.getByRole('main').locator('input[type=file]');

/** A slug that no other journey uses. */
function newSlug(): string {
  return `fund-${crypto.randomUUID().slice(0, 8)}`;
}

/** Logs in with an emailed link on the open login page. */
async function signInWithEmail(actions: Actions, page: Page, email: string): Promise<void> {
  const oldIds = new Set((await readEmails(email)).map(({ id }) => id));
  const form = page.getByRole('form', { name: 'Email me a sign-in link' });
  await actions.fill(form.getByLabel('Email'), email);
  await actions.click(form.getByRole('button', { name: 'Email me a link' }));
  await expect(async () => {
    const signInEmail = (await readEmails(email)).find(
      ({ id, text }) => !oldIds.has(id) && text.includes('/email-signin') && !text.includes('invited=1'),
    );
    expect(signInEmail).toBeDefined();
  }).toPass();
  const signInEmail = (await readEmails(email)).find(({ id }) => !oldIds.has(id));
  await actions.open(page, /https?:\S+\/email-signin\?code=\S+/.exec(signInEmail?.text ?? '')?.[0] ?? '');
}

const HILL = { name: 'Hill Climate Fund', tag: 'Warm homes on the hill' };

/** Logs in on the page as the editor of a new fund. @returns its path */
async function openFundAsEditor(editor: Page, fund = HILL): Promise<string> {
  return `/orgs/${await openNewFund(editor, { ...fund, email: newEmail('edith') })}`;
}

function formatTodayIn(timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date());
}

async function followHeaderLink(page: Page, link: string): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: link }).click();
}

test('a new organization gets its first gift within 40 actions', async ({ page, browser }) => {
  const actions = createActionCounter();
  const [admin, editorEmail, slug] = [nextAdminEmail(), newEmail('first-editor'), newSlug()];

  // An admin creates the organization.
  await actions.open(page, '/admin');
  await signInWithEmail(actions, page, admin);
  await expect(heading(page, 'Admin')).toBeVisible();
  await actions.click(button(page, 'Create Org'));
  const createDialog = dialog(page, 'Create Org');
  const create = createDialog.getByRole('button', { name: 'Create Org' });
  await expect(create).toBeDisabled();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await actions.fill(createDialog.getByLabel('Name'), 'Valley Climate Fund');
  await expect(createDialog.getByLabel('Slug')).toHaveValue('valley-climate-fund');
  await actions.fill(createDialog.getByLabel('Slug'), slug);
  await actions.fill(createDialog.getByLabel('Tag'), 'Warm homes in the valley');
  await actions.fill(createDialog.getByLabel('First editor’s email'), editorEmail);
  await actions.click(create);
  const createdDialog = dialog(page, 'Valley Climate Fund is ready');
  await expect(createdDialog).toContainText(`We’ve emailed ${editorEmail} an invitation`);
  await actions.click(createdDialog.getByRole('button', { name: 'Close', exact: true }));
  await expect(
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `/${slug}` }),
  ).toBeVisible();

  // The first editor follows the invitation and fills in the site.
  const { text } = await awaitEmail(editorEmail, 'help edit');
  const editorContext = await browser.newContext();
  const editor = await editorContext.newPage();
  await actions.open(editor, /https?:\S+\/email-signin\?\S+/.exec(text)?.[0] ?? '');
  await actions.fill(editor.getByLabel('Your name'), 'Nora Newland');
  await actions.click(button(editor, 'Accept and log in'));
  await expect(heading(editor, 'Overview')).toBeVisible();
  const steps = editor.getByRole('region', { name: 'First steps' });
  await expect(steps.getByRole('listitem')).toHaveCount(8);
  await expect(steps).toContainText('0 of 8 done');
  await actions.click(
    editor.getByRole('navigation', { name: 'Editor pages' }).getByRole('link', { name: 'Org settings' }),
  );
  await expect(editor.getByLabel('Slug')).toBeDisabled();
  await actions.fill(editor.getByLabel('Tag'), 'Every home in the valley warm');
  await actions.click(button(editor, 'Save'));
  await expect(editor.getByText('saved', { exact: true })).toBeVisible();
  await expect(button(editor, 'Upload')).toBeDisabled();
  await actions.choosePhoto(photoField(editor), await createPhonePhoto(800));
  await actions.click(button(editor, 'Upload'));
  await expect(button(editor, 'Remove the photo')).toBeVisible();

  // A visitor opens the short address and makes a gift.
  const visitorContext = await browser.newContext();
  const visitor = await visitorContext.newPage();
  await actions.open(visitor, `/${slug}`);
  await expect(heading(visitor, 'Every home in the valley warm')).toBeVisible();
  await expect(visitor.getByRole('main').locator('img[src^="/media/"]').first()).toBeVisible();
  await actions.click(visitor.getByRole('banner').getByRole('link', { name: 'Donate' }));
  await actions.click(visitor.getByText('$25', { exact: true }));
  const [payment] = await Promise.all([
    visitorContext.waitForEvent('page'),
    actions.click(visitor.getByRole('main').getByRole('button', { name: /^Donate/ })),
  ]);
  const card = payment.locator('form').filter({ has: payment.getByLabel(/card number/i) });
  await actions.fill(card.getByLabel(/e-?mail/i), 'giver@example.org');
  await actions.fill(card.getByLabel(/card number/i), CARDS.succeeds);
  await actions.fill(card.getByLabel(/expir/i), '12 / 40');
  await actions.fill(card.getByLabel('Security code'), '123');
  await actions.fill(card.getByLabel(/name on card/i), 'Ada Giver');
  await actions.click(card.getByRole('button', { name: /^(?:Pay|Donate)/ }));
  await expect(heading(payment, 'Thank you for offsetting!')).toBeVisible();
  await visitor.goto(`/${slug}`);
  await expect(visitor.getByLabel('Totals so far')).toContainText('$25');

  expect(actions.count()).toBeLessThanOrEqual(MAX_ACTIONS);
  await Promise.all([editorContext.close(), visitorContext.close()]);
});

test('saved changes are public immediately; leaving with unsaved changes asks first', async ({
  page: editor,
  browser,
  expectedErrors,
}) => {
  expectedErrors.push('415');
  const org = await openFundAsEditor(editor);
  const visitor = await browser.newPage();
  await visitor.goto(org);
  await expect(heading(visitor, 'Warm homes on the hill')).toBeVisible();
  await editor.goto(`${org}/editor/org`);
  await expect(editor.getByText('Only admins can change it.')).toBeVisible();
  await editor.getByLabel('Name').fill('ab');
  await editor.getByLabel('Name').blur();
  await expect(editor.getByText('Please enter a name of at least 3 characters.')).toBeVisible();
  await expect(button(editor, 'Save')).toBeDisabled();
  await editor.getByLabel('Name').fill('Hilltop Climate Fund');
  await followHeaderLink(editor, 'FAQ');
  await dialog(editor, 'Leave without saving?').getByRole('button', { name: 'Stay' }).click();
  await editor.getByLabel('Stats delta of Grants awarded').fill('many');
  await expect(editor.getByText('Use a whole number, such as 31 or -5.')).toBeVisible();
  await editor.getByLabel('Stats delta of Grants awarded').fill('3');
  await editor.getByLabel('Show awardees').uncheck();
  await button(editor, 'Save').click();
  await expect(editor.getByText('saved', { exact: true })).toBeVisible();
  // The header above the settings changes too, as does every open page of the site.
  await expect(editor.getByRole('banner')).toContainText('Hilltop Climate Fund');
  await expect(visitor.getByRole('banner')).toContainText('Hilltop Climate Fund');
  await expect(visitor.getByRole('banner').getByRole('link', { name: 'Future awardees' })).toBeVisible();
  await expect(visitor.getByLabel('Totals so far')).toContainText(/Grants awarded\s*3|3\s*Grants awarded/);

  await editor.getByRole('link', { name: 'Location and time zone' }).click();
  await expect(editor).toHaveURL(/\/editor\/org\/place$/);
  const zone = editor.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveValue('America/New_York');
  await zone.selectOption({ label: 'Kiritimati' });
  await button(editor, 'Save').click();
  await expect(editor.getByText('All changes are saved.')).toBeVisible();
  await expect(zone).toHaveValue('Pacific/Kiritimati');
  await editor.getByRole('link', { name: 'Basics' }).click();

  // The editor sets the stats with a reason, which the ledger records.
  await button(editor, 'Correct the stats…').click();
  const statsDialog = dialog(editor, 'Correct the stats');
  await statsDialog.getByLabel('$ in offsets raised').fill('150.50');
  await expect(statsDialog.getByRole('button', { name: 'Correct the stats' })).toBeDisabled();
  expect(await findAccessibilityProblems(editor)).toEqual([]);
  await statsDialog.getByLabel('Why?').fill('Gifts at the fair');
  await statsDialog.getByRole('button', { name: 'Correct the stats' }).click();
  await expect(statsDialog).toBeHidden();
  await expect(editor.getByRole('region', { name: 'Past corrections' })).toContainText('+$150.50 raised');
  // No time zone is ahead of this one. The browser's own clock is in New York.
  await expect(editor.getByRole('region', { name: 'Past corrections' })).toContainText(
    formatTodayIn('Pacific/Kiritimati'),
  );
  await expect(visitor.getByLabel('Totals so far')).toContainText('$151');

  // A drawing can't be used as a photo. Leaving the page with a chosen photo prompts for confirmation.
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const photo = photoField(editor);
  await photo.setInputFiles({ name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: svg });
  await expect(
    editor.getByText(
      'Please choose a JPEG, PNG, WebP, or AVIF photo. If yours is an iPhone HEIC photo, export it as a JPEG first.',
    ),
  ).toBeVisible();
  await expect(button(editor, 'Upload')).toBeDisabled();
  await photo.setInputFiles({ name: 'drawing.jpg', mimeType: 'image/jpeg', buffer: svg });
  await expect(editor.getByText('We couldn’t read this photo. Try another file.')).toBeVisible();
  await expect(button(editor, 'Upload')).toBeDisabled();
  await followHeaderLink(editor, 'FAQ');
  await dialog(editor, 'Leave without saving?').getByRole('button', { name: 'Leave' }).click();
  await expect(editor).toHaveURL(`${org}/faqs`);
  await visitor.close();
});

// @asvs 1.2.1 3.2.2
test('markup in name, tag, and slug is shown as text', async ({ page }) => {
  const slug = newSlug();
  const org = `/orgs/${await openNewFund(page, { ...HILL, slug })}`;
  const dialogs: string[] = [];
  page.on('dialog', (openedDialog) => {
    dialogs.push(openedDialog.message());
    void openedDialog.dismiss();
  });
  const [name, tag] = ['<svg onload=alert(1)>Fund', '</title><script>alert(2)</script><img src=x onerror=alert(3)>'];
  await page.goto(`${org}/editor/org`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Tag').fill(tag);
  await button(page, 'Save').click();
  await expect(page.getByText('saved', { exact: true })).toBeVisible();
  for (const path of ['/qrcode', '/editor/editors']) {
    await page.goto(org + path);
    await expect(page.getByRole('banner')).toContainText(name);
  }
  await page.goto('/admin');
  const row = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: `/${slug}` });
  await expect(row).toContainText(name);
  await row.getByRole('button', { name: 'Set slug' }).click();
  const confirmation = page.getByRole('dialog');
  await confirmation.getByLabel('Slug').fill('"><svg onload=alert(4)>');
  await expect(confirmation).toContainText('Use 3–40');
  await expect(confirmation.getByRole('button', { name: 'Set slug' })).toBeDisabled();
  await confirmation.getByRole('button', { name: 'Cancel' }).click();
  await dialog(page, 'Leave without saving?').getByRole('button', { name: 'Leave' }).click();
  await page.goto(org);
  await expect(page.getByRole('banner')).toContainText(name);
  await expect(heading(page, tag)).toBeVisible();
  expect(await page.locator('[onload], [onerror]').count()).toBe(0);
  expect(dialogs).toEqual([]);
});

test('an admin changes a slug, the old one redirects, a taken one is rejected, and the self-check passes', async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push('409');
  const slug = newSlug();
  await signInAs(page, nextAdminEmail());
  const org = `/orgs/${await createFund(page, { slug })}`;
  await page.goto('/admin');
  const row = (slugName: string) =>
    page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: `/${slugName} ` });
  await row(slug).getByRole('button', { name: 'Set slug' }).click();
  const confirmation = page.getByRole('dialog');
  await confirmation.getByLabel('Slug').fill('sample-city');
  await confirmation.getByRole('button', { name: 'Set slug' }).click();
  await expect(confirmation).toContainText('“sample-city” is already taken.');
  const newSlugName = newSlug();
  await confirmation.getByLabel('Slug').fill(newSlugName);
  await confirmation.getByRole('button', { name: 'Set slug' }).click();
  await expect(page.getByText('saved', { exact: true })).toBeVisible();
  await expect(row(newSlugName)).toBeVisible();
  for (const slugName of [newSlugName, slug]) {
    await page.goto(`/${slugName}`);
    await expect(page).toHaveURL(org);
  }

  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Test' }).click();
  await expect(heading(page, 'Test')).toBeVisible();
  await button(page, 'Run the test').click();
  await expect(page.getByText('No differences')).toBeVisible();
  await expect(page.getByRole('link', { name: /Read more/ })).toHaveCount(2);
  expect(await findAccessibilityProblems(page)).toEqual([]);
});
