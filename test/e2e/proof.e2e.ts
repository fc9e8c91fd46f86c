import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { findingsAtBothWidths } from './support/axe.ts';
import { CARDS, openPayment, payByCard } from './support/giving.ts';
import { expect, nightPasses, ORG, test } from './support/journey.ts';
import { awaitMail, newEmail } from './support/signing-in.ts';

test('a gift’s proof is checked from a disk with the network off, and a copy that was changed is refused', async ({
  page,
  browser,
}, testInfo) => {
  const outputPath = (name: string) => testInfo.outputPath(name);
  const donor = newEmail('proof');
  await page.goto(`${ORG}/donate`);
  await page.getByText('$25', { exact: true }).click();
  const payment = await openPayment(page, 'Donate');
  await payByCard(payment, CARDS.pays, donor);
  const { text } = await awaitMail(page, donor, 'Receipt number');
  const [link = ''] = /\S+\/proof\?key=\S+/.exec(text) ?? [];
  const [receipt = ''] = /\S+\?receipt=\S+/.exec(text) ?? [];
  await page.goto(receipt);
  await page.getByRole('link', { name: 'Check this gift’s proof' }).click();
  await expect(page).toHaveURL(link);
  await expect(page.getByText('The proof is ready from tomorrow.')).toBeVisible();

  await nightPasses();
  await page.reload();
  const verdict = page.getByRole('status');
  await expect(verdict).toContainText('This proof holds.');
  await expect(verdict).toContainText('Your gift of $25.00 is counted in full, once, in the head of');
  expect(await findingsAtBothWidths(page), 'the proof').toEqual([]);
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Save this page' }).click();
  const saved = outputPath('proof.html');
  await (await saving).saveAs(saved);

  await page.getByRole('link', { name: /^All heads of/ }).click();
  const print = /signed by the key ((?:[0-9a-f]{4} ?){8})/;
  await expect(page.getByRole('heading', { name: 'Signed books' })).toBeVisible();
  await expect(page.locator('main')).toContainText('Fingerprint of the key');
  expect(await findingsAtBothWidths(page), 'the heads').toEqual([]);
  const shown = (await page.locator('main').textContent()) ?? '';

  // Another browser, without a network.
  const offline = await browser.newContext({ offline: true });
  const copy = await offline.newPage();
  await copy.goto(pathToFileURL(saved).href);
  await expect(copy.getByRole('status')).toContainText('This proof holds.');
  const [, fingerprint = 'none'] = print.exec((await copy.getByRole('status').textContent()) ?? '') ?? [];
  expect(shown).toContain(fingerprint.trim());

  const html = await readFile(saved, 'utf8');
  const changed = async (what: string, from: string, to: string) => {
    expect(html).toContain(from);
    const file = outputPath(`${what}.html`);
    await writeFile(file, html.replace(from, to));
    await copy.goto(pathToFileURL(file).href);
    return copy.getByRole('alert');
  };
  const more = await changed('more', '"cents":"2500"', '"cents":"250000"');
  await expect(more).toContainText('This proof does not hold.');
  await expect(copy.locator('main')).not.toContainText('$2,500.00');
  const key = await changed('signature', '"signature":"', '"signature":"00');
  await expect(key).toContainText('It is not written the way a proof is.');
  // What checks was changed: it does not run.
  await changed('program', 'words.holds', 'words.title');
  await expect(copy.getByText('Nothing was checked.')).toBeVisible();

  // A browser of before says what it could not check.
  await offline.addInitScript(() => {
    SubtleCrypto.prototype.importKey = async () => {
      throw new DOMException('Unrecognized name.', 'NotSupportedError');
    };
  });
  await copy.goto(pathToFileURL(saved).href);
  await expect(copy.getByRole('status')).toContainText('All but the signature was checked');
  await expect(copy.locator('main')).toContainText('Not checked: who signed this head.');
  await offline.close();
});
