import { setTimeout as pause } from 'node:timers/promises';
import { callPath } from '#contract/calls.ts';
import type { SubmittedItem } from '#domain/cart.ts';

export type Crowd = { stop(): Promise<void> };

type CrowdOptions = {
  /** The servers that a donor may use. */
  readonly serverUrls: readonly string[];
  readonly orgId: string;
  /** Checkouts that a browser showed as paid. */
  readonly shownAsPaid: Set<string>;
  /** True if another recurring gift is allowed. */
  readonly canAddRecurringGift: () => boolean;
  /** Actions by the provider's customers, banks, and merchant. */
  readonly providerActions: readonly (() => Promise<void>)[];
};

const DONORS = 4;
const TIMEOUT_MS = 20_000;

/** Starts donors who keep giving until stopped, even while servers are down. */
export function startCrowd(options: CrowdOptions): Crowd {
  let isStopped = false;
  const repeat = async (work: () => Promise<void>) => {
    while (!isStopped) await work().catch(() => pause(20));
  };
  const donors = Array.from({ length: DONORS }, () => () => give(options));
  const loops = [...donors, ...options.providerActions].map(repeat);
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(loops);
    },
  };
}

/** Makes a one-time or monthly card gift or a slow bank debit. Most donors then return to the checkout page. */
async function give({ serverUrls, orgId, shownAsPaid, canAddRecurringGift }: CrowdOptions): Promise<void> {
  const serverUrl = serverUrls[Math.floor(Math.random() * serverUrls.length)] ?? '';
  const cost = 5 + Math.floor(Math.random() * 95);
  const random = Math.random();
  const item: SubmittedItem =
    random < 0.2 && canAddRecurringGift()
      ? { type: 'donation', cost, recurring: 'month', recurringInterval: 1 }
      : { type: 'donation', cost, recurring: 'no' };
  const gift = await pay(serverUrl, orgId, item, random > 0.8 ? DEBIT_FORM : CARD_FORM);
  if (!gift || Math.random() > 0.7) return;
  const { checkoutId } = gift;
  const response = await send('GET', serverUrl + callPath('readCheckout', { orgid: orgId, checkoutid: checkoutId }));
  const { paymentStatus } = (await response.json()) as { paymentStatus: string };
  if (paymentStatus === 'paid') shownAsPaid.add(checkoutId);
}

type Gift = { readonly checkoutId: string };

/** Pays a donation by card on the hosted page. @returns undefined when the page did not redirect to the checkout */
export function payByCard(serverUrl: string, orgId: string, dollars: number): Promise<Gift | undefined> {
  return pay(serverUrl, orgId, { type: 'donation', cost: dollars }, CARD_FORM);
}

async function pay(
  serverUrl: string,
  orgId: string,
  item: SubmittedItem,
  form: Readonly<Record<string, string>>,
): Promise<Gift | undefined> {
  const response = await send('POST', serverUrl + callPath('createCheckout', { orgid: orgId }), {
    cart: [item],
    coversFee: item.cost % 2 === 0,
  });
  const { url } = (await response.json()) as { url: string };
  const redirect = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  await redirect.body?.cancel();
  const [, checkoutId] = /\/checkouts\/([\w-]+)/.exec(redirect.headers.get('location') ?? '') ?? [];
  return checkoutId === undefined ? undefined : { checkoutId };
}

const PAYER = { email: 'payer@example.org', name: 'Paula Payer' };
// Valid even after the provider's clock has advanced by years.
export const CARD_FORM = { ...PAYER, number: '4242 4242 4242 4242', expiry: '12 / 70', cvc: '123' };
const DEBIT_FORM = { ...PAYER, method: 'us_bank_account' };

async function send(method: string, url: string, body?: object): Promise<Response> {
  const headers = { 'x-requested-with': 'crash-test', 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`);
  return response;
}
