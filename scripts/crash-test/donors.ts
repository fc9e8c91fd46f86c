import { callPath } from '#contract/calls.ts';

export type Donors = {
  /** The sessions that the provider reported as paid. */
  readonly paid: ReadonlySet<string>;
  stop(): Promise<void>;
};

/** Gives until stopped, ignoring errors while the server is down. */
export function startDonors(count: number, productUrl: string, orgid: string, paid: Set<string>): Donors {
  let stopped = false;
  const giveRepeatedly = async () => {
    while (!stopped) await give(productUrl, orgid, paid).catch(() => undefined);
  };
  const giving = Array.from({ length: count }, giveRepeatedly);
  return {
    paid,
    stop: async () => {
      stopped = true;
      await Promise.all(giving);
    },
  };
}

/** One gift. Most donors then return to the checkout page. */
async function give(productUrl: string, orgid: string, paid: Set<string>): Promise<void> {
  const dollars = 5 + Math.floor(Math.random() * 95);
  const gift = await payByCard(productUrl, orgid, dollars);
  if (!gift) return;
  paid.add(gift.session);
  const { checkoutid } = gift;
  if (Math.random() < 0.7) await send('GET', productUrl + callPath('readCheckout', { orgid, checkoutid }));
}

/** Pays a donation by card on the hosted page. @returns undefined when the page did not redirect to the checkout */
export async function payByCard(
  productUrl: string,
  orgid: string,
  dollars: number,
): Promise<{ readonly checkoutid: string; readonly session: string } | undefined> {
  const opened = await send('POST', productUrl + callPath('createCheckout', { orgid }), {
    cart: [{ type: 'donation', cost: dollars }],
  });
  const { url } = (await opened.json()) as { url: string };
  const returned = await fetch(url, { method: 'POST', body: new URLSearchParams(CARD), redirect: 'manual' });
  await returned.body?.cancel();
  const target = returned.headers.get('location') ?? '';
  const [, checkoutid] = /\/checkouts\/([\w-]+)/.exec(target) ?? [];
  return checkoutid === undefined ? undefined : { checkoutid, session: url.split('/').at(-1) ?? '' };
}

const CARD = {
  email: 'payer@example.org',
  name: 'Paula Payer',
  number: '4242 4242 4242 4242',
  expiry: '12 / 34',
  cvc: '123',
};

async function send(method: string, url: string, body?: object): Promise<Response> {
  const headers = { 'x-requested-with': 'crash-test', 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`);
  return response;
}
