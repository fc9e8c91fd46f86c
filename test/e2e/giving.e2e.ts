// @spec 1.visitors 1.profile 1.site 2.org 2.offsetter 2.static-pages 2.checkout 2.header 2.home-screen 2.air
// @spec 2.city-picker 2.cart-tab 2.offsetter-screen 2.checkout-screen 4.cart 4.checkout 6.visitors decisions.3
// @spec decisions.5
// Slow because one journey covers everything from an estimate to a published story.
import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { createPhonePhoto, listWebpChunks, METADATA_MARKERS } from '#test/support/photos.ts';
import { CARDS, chooseCity, openPayment, payByCard, readHomeStats } from './support/giving.ts';
import { expect, test } from './support/journey.ts';
import { createFund, runAsAdmin } from './support/new-fund.ts';

const STORY = 'We flew to Lisbon to see my sister, and this is what we owe the neighbors for it.';

test('a flight and a donation are paid, a story is published, and the home page counts exactly this gift', async ({
  page,
}) => {
  const photo = await createPhonePhoto();
  const slug = `fund-${crypto.randomUUID().slice(0, 8)}`;
  const fund = `/orgs/${await runAsAdmin((admin) => createFund(admin, { slug, place: 'Ithaca, New York' }))}`;
  await page.goto(fund);
  const initialStats = await readHomeStats(page, fund);

  await chooseCity(page, 'From', 'ithaca', /^Ithaca, .*New York/);
  await chooseCity(page, 'To', 'lisbon', /^Lisbon, .*Portugal/);
  await expect(page.getByLabel('Trip mileage')).toHaveValue(/^3,?4\d\d$/);
  const miles = Number((await page.getByLabel('Trip mileage').inputValue()).replace(',', ''));
  await page.getByLabel('Round trip').check();
  await page.getByRole('textbox', { name: 'Travelers' }).fill('2');
  const pounds = (miles * 2 * 2 * 56) / 100;
  await page.getByRole('button', { name: 'Calculate Offset' }).click();
  await expect(page.getByRole('tab', { name: /Cart/, selected: true })).toBeVisible();

  await page.getByRole('banner').getByRole('link', { name: 'Donate' }).click();
  await page.getByText('$25', { exact: true }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('25');
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.goto(fund);
  await page.getByRole('tab', { name: /Cart/ }).click();
  const cart = page.getByRole('tabpanel');
  await expect(cart).toContainText('Air travel');
  await expect(cart).toContainText('Donation');

  const payment = await openPayment(page, 'Checkout');
  await expect(page.getByRole('tab', { name: 'Air', selected: true })).toBeVisible();
  await payByCard(payment, CARDS.succeeds, 'ada@example.org');
  await payment.waitForURL(new RegExp(`${fund}/checkouts/`));
  await expect(payment.getByRole('heading', { name: 'Thank you for offsetting!' })).toBeVisible();

  await expectDonorWindow(payment, slug);

  await payment.getByRole('textbox', { name: 'Email' }).fill('ada@example.org');
  await payment.getByRole('textbox', { name: 'Name' }).fill('Ada Giver');
  await payment.getByRole('textbox', { name: 'Story' }).fill(STORY);
  await payment.getByRole('checkbox', { name: /how many pounds/ }).check();
  await payment.getByLabel(/Profile Photo/).setInputFiles({ name: 'us.jpg', mimeType: 'image/jpeg', buffer: photo });
  await payment.getByRole('button', { name: 'Submit' }).click();
  await payment.waitForURL(new RegExp(`${fund}/offsetters/`));
  await expect(payment.getByRole('heading', { name: 'Ada Giver' })).toBeVisible();
  await expect(payment.getByText(STORY)).toBeVisible();

  const picture = payment.getByRole('main').getByRole('img').first();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const source = await picture.evaluate((image: HTMLImageElement) => image.currentSrc);
  const image = await (await page.request.get(source)).body();
  const { width, height } = await sharp(image).metadata();
  expect(height).toBeGreaterThan(width);
  // A cropped portrait still shows the head.
  await expect(picture).toHaveCSS('object-position', '50% 20%');
  expect(listWebpChunks(image).every((part) => ['VP8', 'VP8L', 'VP8X', 'ALPH'].includes(part))).toBe(true);
  for (const mark of METADATA_MARKERS) expect(image.includes(mark)).toBe(false);

  const finalStats = await readHomeStats(page, fund);
  const cents = Math.round(pounds * 1.25) + 2500;
  expect(Math.round((finalStats.funds - initialStats.funds) * 100)).toBe(cents);
  expect(finalStats.co2 - initialStats.co2).toBeCloseTo(pounds, 4);
  await page.goto(fund);
  await expect(
    page.getByText(`$${Math.round(finalStats.funds).toLocaleString('en-US')}`, { exact: true }),
  ).toBeVisible();
});

/** Checks that the donor's window picture can be saved and shared. */
async function expectDonorWindow(payment: Page, slug: string): Promise<void> {
  // Once the receipt number appears, the page's scripts are loaded and handle clicks.
  await expect(payment.getByText(/Receipt no\. \d+ is on its way/)).toBeVisible();
  const share = payment.getByRole('button', { name: 'Share your window' });
  const [download] = await Promise.all([payment.waitForEvent('download'), share.click()]);
  const pictureInfo = await sharp(await download.path()).metadata();
  expect(pictureInfo).toMatchObject({ format: 'png', width: 1200, height: 630 });
  await expect(payment.getByText('Picture saved.')).toBeVisible();
  await payment.evaluate(() => {
    const shared: ShareData[] = [];
    const share = async (data: ShareData) => void shared.push(data);
    Object.assign(window, { shared });
    Object.defineProperties(navigator, { canShare: { value: () => true }, share: { value: share } });
  });
  await share.click();
  const readSharedData = () =>
    payment.evaluate(() => {
      const [data] = (window as unknown as { shared: ShareData[] }).shared;
      return data && { title: data.title, url: data.url, types: data.files?.map(({ type }) => type) };
    });
  await expect.poll(readSharedData).toEqual({
    title: 'I lit a window in Ithaca, New York',
    url: new URL(`/${slug}`, payment.url()).href,
    types: ['image/png'],
  });
}
