import { setTimeout as pause } from 'node:timers/promises';
import { callPath } from '#contract/calls.ts';
import { PAGES } from '#contract/pages.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { CARD } from '../crash-test/donors.ts';
import { sampleOrg } from '../sample/sample-org.ts';
import type { Ask } from './asking.ts';

const { id: orgid } = sampleOrg;
const HOME = fillPath(PAGES['home-page'], { orgid });
const READ_PAGES = ['home-page', 'about-page', 'faqs-page', 'offsetters-page', 'awardees-page', 'donate-page'] as const;
const STORY = 'We fly to see our grandmother once a year, and want that to warm a home.';

/** What an honest visitor did not get. */
export class Refused extends Error {}

export type Journey = { readonly name: string; readonly perSecond: number; readonly go: () => Promise<void> };

/** @param photo a small one of a camera */
export function honestVisitors(url: string, ask: Ask, photo: Uint8Array<ArrayBuffer>): readonly Journey[] {
  let visitors = 0;
  /** Every second one is behind the address of the same school. */
  const nextClient = () => {
    visitors += 1;
    return visitors % 2 === 0 ? '198.18.0.1' : `10.1.${(visitors >> 8) & 255}.${visitors & 255}`;
  };
  const get = async (who: string, from: string, ...paths: readonly string[]) => {
    let last: unknown;
    for (const path of paths) last = await contentOf(await ask({ who, from, path }), path);
    return last;
  };
  return [
    { name: 'donors', perSecond: 0.5, go: () => give(ask, nextClient(), photo) },
    {
      ...{ name: 'readers', perSecond: 2 },
      go: async () => {
        const pages = READ_PAGES.map((page) => fillPath(PAGES[page], { orgid }));
        await get('readers', nextClient(), ...pages, '/sitemap.xml', callPath('readOrg', { orgid }));
      },
    },
    {
      ...{ name: 'people who log in', perSecond: 0.1 },
      go: async () => {
        const from = nextClient();
        const { token } = await logIn(url, ask, `visitor-${visitors}@example.org`, from);
        const headers = { authorization: `Bearer ${token}` };
        await contentOf(await ask({ who: LOGIN, from, path: callPath('authorize', {}), headers }), 'authorize');
      },
    },
  ];
}

const LOGIN = 'people who log in';

async function give(ask: Ask, from: string, photo: Uint8Array<ArrayBuffer>): Promise<void> {
  const who = 'donors';
  await contentOf(await ask({ who, from, path: HOME }), 'home');
  await contentOf(await ask({ who, from, path: `${callPath('searchCities', {})}?search=Ithaca` }), 'cities');
  const opening = { cart: [{ type: 'donation', cost: 25, recurring: 'no' }] };
  const created = callPath('createCheckout', { orgid });
  const opened = await contentOf(await ask({ who, from, method: 'POST', path: created, body: opening }), created);
  const { id: checkoutid, url: page } = opened as { id: string; url: string };
  const paid = await fetch(page, { method: 'POST', body: new URLSearchParams(CARD), redirect: 'manual' });
  await paid.arrayBuffer();
  const checkout = callPath('readCheckout', { orgid, checkoutid });
  let status = '';
  for (let looks = 0; status !== 'paid' && looks < 30; looks += 1) {
    const read = await contentOf(await ask({ who, from, path: checkout }), 'checkout');
    status = (read as { paymentStatus: string }).paymentStatus;
    if (status !== 'paid') await pause(500);
  }
  const form = new FormData();
  const texts = { checkoutId: checkoutid, email: `donor-${checkoutid}@example.org`, name: 'Dora Donor', story: STORY };
  for (const [name, value] of Object.entries({ ...texts, shownAs: 'full' })) form.append(name, value);
  form.append('file', new Blob([photo], { type: 'image/jpeg' }), 'me.jpg');
  await contentOf(await ask({ who, from, method: 'PUT', path: checkout, form }), 'profile');
  await contentOf(await ask({ who, from, path: fillPath(PAGES['offsetters-page'], { orgid }) }), 'offsetters');
}

/** Logs in by a mailed link. */
export async function logIn(url: string, ask: Ask, email: string, from: string): Promise<{ token: string }> {
  const link = callPath('sendSignInLink', {});
  await contentOf(await ask({ who: LOGIN, from, method: 'POST', path: link, body: { email } }), link);
  const code = await codeFor(url, email);
  const path = callPath('signInByLink', {});
  const body = { email, code };
  return (await contentOf(await ask({ who: LOGIN, from, method: 'POST', path, body }), path)) as { token: string };
}

async function codeFor(url: string, email: string): Promise<string> {
  for (let looks = 0; looks < 60; looks += 1) {
    const mails = (await (await fetch(`${url}/dev/mailbox.json`)).json()) as { to: string; text: string }[];
    const code = mails.map(({ to, text }) =>
      to === email ? /email-signin\?code=([\w-]+)/.exec(text)?.[1] : undefined,
    );
    const found = code.find((each) => each !== undefined);
    if (found !== undefined) return found;
    await pause(500);
  }
  throw new Refused(`No link was mailed to ${email}.`);
}

/** @throws Refused with what was answered instead */
async function contentOf(response: Response, what: string): Promise<unknown> {
  const text = await response.text();
  if (response.status >= 400) throw new Refused(`${what}: ${response.status} ${text.slice(0, 200)}`);
  return response.headers.get('content-type')?.startsWith('application/json') ? (JSON.parse(text) as unknown) : text;
}
