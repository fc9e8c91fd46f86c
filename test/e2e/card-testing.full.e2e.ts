import Fastify, { type FastifyInstance } from 'fastify';
import { listenLocally, PAYER } from '#test/support/card-provider.ts';
import { findAccessibilityProblems } from './support/axe.ts';
import { CARDS, fillCart, payByCard } from './support/giving.ts';
import { expect, ORG, test } from './support/journey.ts';
import { type SampleSite, startSampleSite } from './support/sample-site.ts';

/** A stand-in for Turnstile's widget, with one button. The server below verifies its response. */
const WIDGET = `window.turnstile = {
  render: (place, { callback }) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'I am a person';
    button.addEventListener('click', () => callback('a person'));
    place.append(button);
    return 'widget';
  },
  remove: () => {},
};`;

let turnstile: FastifyInstance;
let site: SampleSite;
let isTurnstileReachable = true;

test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  turnstile = Fastify();
  turnstile.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  turnstile.get('/turnstile/v0/api.js', (_request, reply) =>
    isTurnstileReachable ? reply.type('text/javascript').send(WIDGET) : reply.code(503).send(),
  );
  turnstile.post<{ Body: { secret: string; response: string } }>('/turnstile/v0/siteverify', ({ body }) => ({
    success: body.secret === 'hush' && body.response === 'a person',
  }));
  const origin = await listenLocally(turnstile);
  site = await startSampleSite({
    TURNSTILE_SITE_KEY: '0x1',
    TURNSTILE_SECRET_KEY: 'hush',
    TEST_SETTINGS: `turnstile=${origin}`,
  });
  await tryCards(20);
});
test.afterAll(async () => {
  await site.stop();
  await site.deleteData();
  await turnstile.close();
  expect(site.errors).toEqual([]);
});

test.beforeEach(({ expectedErrors }) => {
  // The browser logs a response that asks for a challenge, and a missing script.
  expectedErrors.push('403', '503');
});

/** Simulates card testing from this network: five declined cards per payment page. */
async function tryCards(count: number): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-requested-with': 'test' };
  const body = JSON.stringify({ cart: [{ type: 'donation', cost: 25, recurring: 'no' }] });
  const openCheckout = () => fetch(`${site.url}/api${ORG}/checkouts`, { method: 'POST', headers, body });
  for (let attempt = 0; attempt < count; attempt += 5) {
    const { url }: { url: string } = await (await openCheckout()).json();
    const card = { ...PAYER, number: CARDS.declined, expiry: '12/40', cvc: '123' };
    for (let i = 0; i < 5; i += 1) await fetch(url, { method: 'POST', body: new URLSearchParams(card) });
  }
  await expect.poll(async () => (await openCheckout()).status).toBe(403);
}

test('during a card-testing attack, a donor passes the check once it’s reachable and then gives', async ({ page }) => {
  isTurnstileReachable = false;
  await page.goto(`${site.url}${ORG}/donate`);
  await page.getByText('$25', { exact: true }).click();
  await page.getByRole('main').getByRole('button', { name: 'Donate $25', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'One more step' });
  await expect(dialog.getByRole('status').first()).toHaveText(/couldn’t load/);
  await dialog.getByRole('button', { name: 'Close dialog' }).click();
  await expect(page.getByLabel('Amount', { exact: true })).toHaveValue('25');
  isTurnstileReachable = true;

  await fillCart(page, `${site.url}${ORG}`);
  await page.getByRole('main').getByRole('button', { name: 'Checkout', exact: true }).click();
  const proceed = dialog.getByRole('button', { name: 'Proceed to checkout' });
  await expect(proceed).toBeDisabled();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'I am a person' }).click();
  await expect(dialog.getByRole('status').first()).toHaveText('Thank you. You can continue.');
  const [payment] = await Promise.all([page.context().waitForEvent('page'), proceed.click()]);
  await payment.waitForURL(/\/sandbox\/pay\//);
  await expect(dialog).toBeHidden();
  await payByCard(payment, CARDS.succeeds);
  await payment.waitForURL(/\/checkouts\//);
  await expect(payment.getByRole('heading', { level: 1 })).toBeVisible();
});
