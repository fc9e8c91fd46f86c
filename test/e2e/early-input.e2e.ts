import type { Page } from '@playwright/test';
import { phonePhoto } from '#test/support/photos.ts';
import { give } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';
import { newEmail } from './support/signing-in.ts';

/** Keeps the program from the page until it is let go. */
async function holdProgram(page: Page): Promise<() => void> {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}

/** Gives, and begins to fill in the profile on a page whose program is kept from it. @returns how to let it go */
async function profileBeforeProgram(page: Page, fund: string): Promise<() => void> {
  const address = await give(page, fund, 25, newEmail('early'));
  const letGo = await holdProgram(page);
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Email' }).fill('early@example.org');
  return letGo;
}

test('clicks and typing before the app has loaded are replayed', { tag: '@full' }, async ({ page }) => {
  const letGo = await holdProgram(page);
  await page.goto(ORG, { waitUntil: 'commit' });
  await page.getByLabel('Trip mileage').fill('1200');
  await page.getByText('Round trip').click();
  // Neither a click nor the Enter key reloads the page.
  await page.getByLabel('Trip mileage').press('Enter');
  await page.getByRole('button', { name: 'Menu' }).click();
  expect(await page.evaluate(() => 'earlyInput' in window)).toBe(true);

  letGo();
  await expect(page.getByRole('dialog').getByRole('link', { name: 'About' })).toBeVisible();
  expect(await page.evaluate(() => 'earlyInput' in window)).toBe(false);
  await page.keyboard.press('Escape');
  await expect(page.getByLabel('Trip mileage')).toHaveValue('1200');
  await expect(page.getByLabel('Round trip')).toBeChecked();
  // The estimate is made of both: 1,200 miles there and back for one traveler.
  await expect(page.getByText('1,344 lbs of carbon')).toBeVisible();
});

test('choosing an amount and "Donate" before the app has loaded opens the payment page for that amount', async ({
  page,
  context,
}) => {
  const letGo = await holdProgram(page);
  await page.goto(`${ORG}/donate`, { waitUntil: 'commit' });
  await page.getByText('$25', { exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: 'Donate', exact: true }).click();
  const opened = context.waitForEvent('page');
  letGo();
  const payment = await opened;
  await payment.waitForURL(/\/sandbox\/pay\//);
  await expect(payment.getByText('$25.00').first()).toBeVisible();
});

test('a click during hydration is handled once, after earlier ones', { tag: '@full' }, async ({ page, context }) => {
  // Between the moment in which React begins to listen and the one in which the page is the program's.
  await page.addInitScript(() => {
    const root = EventTarget.prototype;
    const listen = Reflect.get(root, 'addEventListener');
    const press = (name: string) =>
      [...document.querySelectorAll<HTMLElement>('main button, main label')]
        .find(({ textContent }) => textContent.startsWith(name))
        ?.click();
    root.addEventListener = function (this: EventTarget, ...args: Parameters<typeof listen>) {
      if (this instanceof Element && this.id === 'root' && args[0] === 'click') {
        root.addEventListener = listen;
        queueMicrotask(() => ['$25', 'Donate'].forEach(press));
      }
      listen.apply(this, args);
    };
  });
  const opened = context.waitForEvent('page');
  await page.goto(`${ORG}/donate`);
  const payment = await opened;
  await payment.waitForURL(/\/sandbox\/pay\//);
  await expect(payment.getByText('$25.00').first()).toBeVisible();
  expect(context.pages()).toHaveLength(2);
});

test('a profile filled in before the app has loaded can be submitted', { tag: '@full' }, async ({ page, fund }) => {
  const letGo = await profileBeforeProgram(page, fund);
  await page.getByRole('textbox', { name: 'Name' }).fill('Erla Early');
  await page.getByRole('radio', { name: /first name only/ }).check();
  await page.getByRole('textbox', { name: 'Story' }).fill('I was there before the program was, and it heard me.');
  const photo = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto(800) };
  await page.getByLabel(/Profile Photo/).setInputFiles(photo);
  letGo();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.waitForURL(/\/offsetters\//);
  await expect(page.getByRole('heading', { name: 'Erla', exact: true })).toBeVisible();
});

test('hydration moves nothing and keeps choices', { tag: '@full' }, async ({ page, fund }) => {
  const letGo = await profileBeforeProgram(page, fund);
  const radio = page.getByRole('radio', { name: /first name only/ });
  await radio.check();
  // Checks between all page tasks until the remembered input and its follow-up tasks have run.
  const seen = radio.evaluate(async (radio: HTMLInputElement) => {
    const { port1, port2 } = new MessageChannel();
    const states = new Set<string>();
    const task = () =>
      new Promise<void>((resolve) => {
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
    for (let after = 0; after < 50; after += 'earlyInput' in window ? 0 : 1) {
      states.add(`${radio.checked} at ${radio.getBoundingClientRect().y + window.scrollY}`);
      await task();
    }
    return [...states];
  });
  const initialTop = await radio.evaluate((radio) => radio.getBoundingClientRect().y + window.scrollY);
  letGo();
  expect(await seen).toEqual([`true at ${initialTop}`]);
  await expect(page.getByRole('link', { name: 'Log in.' })).toBeVisible();
});
