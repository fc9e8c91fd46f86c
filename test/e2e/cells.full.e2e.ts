// @spec 2.editor 2.pages-editor 4.cell 5.cell decisions.5 decisions.6
// Slow because each journey creates its own fund, and some use two browsers and encode pictures.
import type { Page } from '@playwright/test';
import { createPlainPhoto } from '#test/support/photos.ts';
import { findAxeViolations } from './support/axe.ts';
import { expect, test } from './support/journey.ts';
import { openNewFund, signInAsEditor } from './support/new-fund.ts';
import { callWithToken, newEmail, postCall } from './support/sign-in.ts';

const cellRow = (page: Page, title: string, place: string) =>
  page.getByRole('region', { name: `${title}, ${place}`, exact: true });
const introRow = (page: Page, place: string) => cellRow(page, 'Introduction', place);

async function writeIntro(page: Page, place: string, text: string): Promise<void> {
  await introRow(page, place).getByRole('button', { name: 'Edit' }).click();
  await expect(introRow(page, place).getByRole('textbox')).toBeFocused();
  await introRow(page, place).getByRole('textbox').fill(text);
}

const saveIntro = (page: Page, place: string) =>
  introRow(page, place).getByRole('button', { name: 'Save', exact: true }).click();

test('a cell is edited with a preview, and the public page shows it right away', async ({ page, browser }) => {
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('wanda') })}`;
  await page.goto(`${fund}/editor/pages`);
  await expect(page.getByRole('heading', { level: 1, name: 'Edit site content' })).toBeVisible();
  await expect(page.getByText('Headings that start with ### go into the table of contents.')).toBeVisible();
  for (const [width, maxHeight] of [
    [390, 4500],
    [1280, 4000],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(maxHeight);
  }
  const row = introRow(page, 'Offsetters');
  await row.getByRole('button', { name: 'Edit' }).click();
  const field = row.getByRole('textbox');
  await expect(field).toBeFocused();
  const rows = Number(await field.getAttribute('rows'));
  await field.press('Control+End');
  await field.press('Enter');
  await expect(field).toHaveAttribute('rows', String(rows + 1));
  const uniqueText = newEmail('words');
  await field.fill(`Neighbors who **give** ${uniqueText}`);
  await expect(row.getByRole('region', { name: /^Preview/ }).locator('strong')).toHaveText('give');
  await row.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved. The change is live.')).toBeVisible();
  await expect(row.getByRole('button', { name: 'Edit' })).toBeFocused();

  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`${fund}/offsetters`);
  await expect(visitor.getByText(uniqueText)).toBeVisible();
  await visitor.context().close();

  await row.getByRole('button', { name: 'Edit' }).click();
  await expect(field).toBeFocused();
  await field.fill('  ');
  await row.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The text can’t be empty. Nothing was changed.')).toBeVisible();
  await expect(row.getByText(uniqueText)).toBeVisible();

  // The English text replaces a missing Spanish one and is marked for editors.
  const missingNotice = 'No Spanish text yet: visitors see the English text.';
  await expect(row.getByText(missingNotice)).toBeVisible();

  // Editors' pages are in English only.
  await page.goto(`/es${fund}/editor/pages`);
  await expect(page).toHaveURL(`${fund}/editor/pages`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Español' })).toBeHidden();
  await row.getByRole('button', { name: 'Introduction', exact: true }).press('Enter');
  await row.getByRole('button', { name: 'Spanish' }).click();
  await row.getByRole('button', { name: 'Edit' }).click();
  await field.fill(`Vecinos que donan ${uniqueText}`);
  await row.getByRole('button', { name: 'English' }).click();
  await expect(field).toHaveCount(0);
  await row.getByRole('button', { name: 'Spanish (not saved)' }).click();
  await expect(field).toHaveValue(`Vecinos que donan ${uniqueText}`);
  expect(await findAxeViolations(page)).toEqual([]);
  await row.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(field).toHaveCount(0);
  await expect(row.getByText('Vecinos que donan')).toBeVisible();
  await expect(row.getByText(missingNotice)).toHaveCount(0);
  await page.goto(`/es${fund}/offsetters`);
  await expect(page.getByRole('main').getByText('Vecinos que donan')).toBeVisible();
});

test('a cell has a phone-sized preview, Undo restores its text, and leaving with unsaved text asks first', async ({
  page,
}) => {
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('petra') })}`;
  await page.goto(`${fund}/editor/pages`);
  const row = introRow(page, 'About');
  await row.getByRole('button', { name: 'Edit' }).click();
  const field = row.getByRole('textbox');
  const oldText = await field.inputValue();
  const uniqueText = newEmail('preview');
  await field.fill(uniqueText);
  const preview = row.getByRole('region', { name: /^Preview/ }).getByText(uniqueText);
  await row.getByRole('button', { name: 'Phone width' }).click();
  expect((await preview.boundingBox())?.width).toBeLessThan(360);
  await row.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(page.getByText('Change undone')).toBeVisible();
  await expect(row.getByRole('button', { name: 'Edit' })).toBeFocused();
  await row.getByRole('button', { name: 'Edit' }).click();
  await expect(field).toHaveValue(oldText);

  // Canceling keeps the text as a draft.
  await field.fill('Not saved yet.');
  await page.getByRole('link', { name: 'Editors' }).first().click();
  const confirmation = page.getByRole('dialog', { name: 'Leave without saving?' });
  await confirmation.getByRole('button', { name: 'Stay' }).click();
  await row.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Resume' }).click();
  await expect(field).toHaveValue('Not saved yet.');
  await page.getByRole('link', { name: 'Editors' }).first().click();
  await confirmation.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Editors' })).toBeVisible();
  const response = await page.request.get(`/api${fund}/cells/about/intro`);
  expect(await response.json()).toMatchObject({ markdown: oldText });
});

test('Undo restores the header photo after a change and after a removal', async ({ page }) => {
  await page.goto(`/orgs/${await openNewFund(page)}/editor/org`);
  const removeButton = page.getByRole('button', { name: 'Remove the photo' });
  const undo = async () => {
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('Previous photo restored')).toBeVisible();
  };
  const upload = async () => {
    const buffer = await createPlainPhoto(1600, 900).jpeg().toBuffer();
    await page.locator('main input[type=file]').setInputFiles({ name: 'city.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await expect(removeButton).toBeVisible();
  };
  await upload();
  await undo();
  await expect(removeButton).toBeHidden();
  await upload();
  await removeButton.click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(removeButton).toBeHidden();
  await undo();
  await expect(removeButton).toBeVisible();
});

test('when two editors write simultaneously, the second gets a warning and chooses', async ({
  page,
  browser,
  expectedErrors,
}) => {
  // The browser logs a rejected call.
  expectedErrors.push('409');
  const otherPage = await (await browser.newContext()).newPage();
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('mina') })}`;
  const email = await signInAsEditor(otherPage, 'otto', fund);
  await page.goto(`${fund}/editor/pages`);
  await otherPage.goto(`${fund}/editor/pages`);
  await writeIntro(page, 'Installers', 'Mina writes of crews.');
  await writeIntro(otherPage, 'Installers', 'Otto writes of crews.');
  await saveIntro(otherPage, 'Installers');
  await expect(otherPage.getByText('Saved. The change is live.')).toBeVisible();
  await saveIntro(page, 'Installers');

  const conflict = page.getByRole('alertdialog', { name: 'Someone else changed this text' });
  await expect(conflict).toContainText(email);
  const comparison = conflict.getByRole('region', { name: 'Comparison' });
  await expect(comparison.locator('del')).toContainText('Otto');
  await expect(comparison.locator('ins')).toContainText('Mina');
  expect(await findAxeViolations(page)).toEqual([]);
  await conflict.getByRole('button', { name: 'Keep theirs' }).click();
  await expect(introRow(page, 'Installers')).toContainText('Otto writes of crews.');
  await introRow(page, 'Installers').getByRole('button', { name: 'Resume' }).click();
  await expect(introRow(page, 'Installers').getByRole('textbox')).toHaveValue('Mina writes of crews.');
  await saveIntro(page, 'Installers');
  await expect(introRow(page, 'Installers').getByRole('textbox')).toHaveCount(0);
  await expect(introRow(page, 'Installers').getByText('Mina writes of crews.')).toBeVisible();

  // A reset never discards text that the editor hasn't seen.
  await introRow(otherPage, 'Installers').getByRole('button', { name: 'Edit' }).click();
  await introRow(otherPage, 'Installers').getByRole('button', { name: 'Reset' }).click();
  await otherPage
    .getByRole('dialog', { name: 'Reset to the default text?' })
    .getByRole('button', { name: 'Reset' })
    .click();
  await expect(otherPage.getByText('it wasn’t reset')).toBeVisible();
  await expect(introRow(otherPage, 'Installers').getByText('Mina writes of crews.')).toBeVisible();
  await otherPage.context().close();
});

test('an earlier text is compared and restored; a reset asks first and can be undone', async ({ page }) => {
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('rosa') })}`;
  await page.goto(`${fund}/editor/pages`);
  const row = introRow(page, 'Awardees');
  for (const text of ['The first words.', 'The second words.']) {
    await writeIntro(page, 'Awardees', text);
    await saveIntro(page, 'Awardees');
    // Waits until the text is saved, because until then it also appears in the field and the preview.
    await expect(row.getByRole('textbox')).toHaveCount(0);
    await expect(row.getByText(text)).toBeVisible();
  }
  await row.getByRole('button', { name: 'Edit' }).click();
  await row.getByRole('button', { name: 'Reset' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Reset to the default text?' });
  await confirmation.getByRole('button', { name: 'Reset' }).click();
  await expect(row.getByText('Default text.')).toBeVisible();

  await row.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'History: Introduction' });
  await expect(history.getByRole('listitem')).toHaveCount(4);
  await expect(history.getByRole('listitem').first()).toContainText('current');
  await history.getByRole('listitem').nth(2).getByRole('button').click();
  await expect(history.getByRole('region', { name: 'Comparison' }).locator('ins')).toContainText('first');
  expect(await findAxeViolations(page)).toEqual([]);
  await history.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('Earlier text restored.')).toBeVisible();
  await expect(row.getByText('The first words.')).toBeVisible();
  const response = await page.request.get(`/api${fund}/cells/awardees/intro`);
  expect(await response.json()).toMatchObject({ markdown: 'The first words.', isDefault: false });
});

test('a picture pasted into a cell is shown to visitors and fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('pia') })}`;
  await page.goto(`${fund}/editor/pages`);
  const row = cellRow(page, 'How to send a check', 'Donate');
  await row.getByRole('button', { name: 'Edit' }).click();
  const field = row.getByRole('textbox');
  // The field sets its selection when it opens, so text filled in earlier would be added to the old text.
  await expect(field).toBeFocused();
  await field.fill('Send it here:');
  await field.press('Control+End');
  const picture = (await createPlainPhoto(800, 600).png().toBuffer()).toString('base64');
  await field.evaluate((area, content) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'map.png', { type: 'image/png' }));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, picture);
  const dialog = page.getByRole('dialog', { name: 'Insert image' });
  await dialog.getByLabel('Description').fill('A map of the way');
  expect(await findAxeViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Insert' }).click();
  await expect(field).toHaveValue(/^Send it here:\n\n!\[A map of the way\]\(\/media\/[\w-]{22}\/640\.webp#640x480\)/);
  await field.press('Control+z');
  await expect(field).toHaveValue('Send it here:');
  await field.press('Control+Shift+z');
  await expect(row.getByRole('img', { name: 'A map of the way' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await field.press('Control+s');
  await expect(page.getByText('Saved. The change is live.')).toBeVisible();
  await page.goto(`${fund}/donate`);
  await page.getByRole('main').getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('img', { name: 'A map of the way' })).toBeVisible();
});

test('a picture in a cell keeps its aspect ratio, has rounded corners, and loads at about its displayed width', async ({
  page,
}) => {
  const fund = `/orgs/${await openNewFund(page, { email: newEmail('pict') })}`;
  const photo = {
    name: 'street.png',
    mimeType: 'image/png',
    buffer: await createPlainPhoto(1600, 1200).png().toBuffer(),
  };
  const { token }: { token: string } = await (await postCall(page, '/session/token')).json();
  const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' };
  const upload = await page.request.post(`/api${fund}/pictures`, { headers, multipart: { file: photo } });
  const { address }: { address: string } = await upload.json();
  const { markdown: basedOn }: { markdown: string } = await (
    await page.request.get(`/api${fund}/cells/home/city`)
  ).json();
  const markdown = `Our street.\n\n![Our street](${address})`;
  expect((await callWithToken(page, 'PUT', `${fund}/cells/home/city`, { markdown, basedOn })).ok()).toBe(true);

  const picture = page.getByRole('img', { name: 'Our street' });
  const pictures: { readonly width: number; readonly loadedWidth: number }[] = [];
  for (const viewportWidth of [1280, 390]) {
    await page.setViewportSize({ width: viewportWidth, height: 800 });
    await page.goto(fund);
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveJSProperty('complete', true);
    await expect(picture).toHaveCSS('border-radius', '20px');
    const [width, height, loadedWidth] = await picture.evaluate((image: HTMLImageElement) => {
      const box = image.getBoundingClientRect();
      return [box.width, box.height, Number(/(\d+)\.webp$/.exec(image.currentSrc)?.[1])] as const;
    });
    expect(width / height).toBeCloseTo(4 / 3, 1);
    expect(width).toBeGreaterThan(250);
    pictures.push({ width, loadedWidth });
  }
  for (const { width, loadedWidth } of pictures) {
    expect(loadedWidth).toBeGreaterThanOrEqual(width);
    expect(loadedWidth).toBeLessThan(width * 2.1);
  }
  await callWithToken(page, 'DELETE', `${fund}/cells/home/city`);
});
