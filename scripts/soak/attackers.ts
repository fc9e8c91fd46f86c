import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { API_BASE, callPath, LIVE_PATH, POLICY_REPORTS_PATH } from '#contract/calls.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { type Count, LIMITS, type LimitedAction } from '#server/features/rate-limits/limits.ts';
import { sampleOrg } from '../sample/sample-org.ts';
import { type Ask, pace, readOff } from './asking.ts';

const { id: orgid } = sampleOrg;
/** A tenth more than they may. */
const OVER = 1.1;
const STREAMS_OF_A_NETWORK = 1050;
const AGAIN_MS = 20_000;

export type Attack = { readonly name: string; readonly run: (ending: AbortSignal) => Promise<unknown> };

/** How often a client may do something in a second, and a tenth more. */
function justOver(action: LimitedAction): number {
  const counts: readonly Count[] = LIMITS[action].counts;
  const ofClient = counts.find(({ by }) => by.length === 1) ?? counts[0];
  return ofClient ? (ofClient.most / (ofClient.windowMs / 1000)) * OVER : 1;
}

/** @param editor the token of an editor who means harm */
export function attackers(ask: Ask, editor: string, networks: number): readonly Attack[] {
  const asEditor = { authorization: `Bearer ${editor}` };
  /** Each of several networks at its own limit. */
  const fromAll = (name: string, perSecond: number, work: (who: string, from: string) => Promise<unknown>): Attack => ({
    name,
    run: (ending) => {
      const clients = Array.from({ length: networks }, (_, at) => `203.0.113.${at + 1}`);
      return Promise.all(clients.map((from) => pace(perSecond, ending, () => work(name, from))));
    },
  });
  const post = (who: string, from: string, path: string, body: object, headers = {}) =>
    readOff(ask({ who, from, method: 'POST', path, body, headers }));
  const newEmail = () => `${randomUUID()}@example.org`;
  return [
    fromAll('checkouts', justOver('checkout'), (who, from) =>
      post(who, from, callPath('createCheckout', { orgid }), {
        cart: [{ type: 'donation', cost: 25, recurring: 'no' }],
      }),
    ),
    fromAll('pledges', justOver('pledge'), (who, from) =>
      post(who, from, callPath('pledgeCheck', { orgid }), { name: 'Paul', email: newEmail(), amount: 25 }),
    ),
    fromAll('searches', justOver('search'), (who, from) =>
      readOff(ask({ who, from, path: `${callPath('searchCities', {})}?search=${randomBytes(2).toString('hex')}` })),
    ),
    fromAll('wrong passwords', justOver('password'), (who, from) =>
      post(who, from, callPath('signInByPassword', {}), { email: newEmail(), password: 'a wrong one of many words' }),
    ),
    fromAll('mailed links', justOver('mail'), (who, from) =>
      post(who, from, callPath('sendSignInLink', {}), { email: newEmail() }),
    ),
    fromAll('reports', justOver('policy-report'), (who, from) => {
      const report = { 'effective-directive': 'img-src', 'blocked-uri': `https://${randomUUID()}.example/` };
      const headers = { 'content-type': 'application/csp-report' };
      return post(who, from, POLICY_REPORTS_PATH, { 'csp-report': report }, headers);
    }),
    fromAll('uploads', 1, (who, from) => {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(500_000)]), 'me.jpg');
      const path = callPath('readCheckout', { orgid, checkoutid: 'made-up' });
      return readOff(ask({ who, from, method: 'PUT', path, form }));
    }),
    fromAll('costly pages', 2, (who, from) =>
      readOff(ask({ who, from, path: `/login?return_to=/orgs/${orgid}/${randomUUID()}` })),
    ),
    {
      name: 'texts',
      run: (ending) =>
        pace(2, ending, () => {
          const markdown = `${'|a'.repeat(100)}\n${'|-'.repeat(100)}\n${`${'|x'.repeat(100)}\n`.repeat(50)}`;
          const path = callPath('previewCell', { orgid, page: 'home', name: 'intro' });
          return post('texts', '203.0.113.9', path, { markdown }, asEditor);
        }),
    },
    {
      name: 'searches of an editor',
      run: (ending) =>
        pace(justOver('checkouts-search'), ending, () =>
          post(
            'searches of an editor',
            '203.0.113.9',
            callPath('searchCheckouts', { orgid }),
            { query: 'a' },
            asEditor,
          ),
        ),
    },
    { name: 'event streams', run: (ending) => holdStreams(ask, ending) },
  ];
}

/** As many as may be open, and some more, again and again. */
async function holdStreams(ask: Ask, ending: AbortSignal): Promise<void> {
  const path = API_BASE + fillPath(LIVE_PATH, { orgid });
  const hold = async (from: string) => {
    const response = await ask({ who: 'event streams', from, path, signal: ending });
    if (response.status !== 200) return readOff(response);
    for await (const _part of response.body ?? []) if (ending.aborted) return;
  };
  const holdAgain = async (from: string) => {
    while (!ending.aborted) {
      await hold(from).catch(() => undefined);
      await pause(AGAIN_MS, undefined, { signal: ending }).catch(() => undefined);
    }
  };
  const places = Array.from({ length: 2 * STREAMS_OF_A_NETWORK }, (_, at) => `203.0.113.${1 + (at % 2)}`);
  await Promise.all(places.map(holdAgain));
}
