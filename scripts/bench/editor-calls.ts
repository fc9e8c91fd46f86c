import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { CALLS, type CallName, type CallParams, callPath } from '#contract/calls.ts';

export type EditorCalls = {
  search(orgid: string, body: object): Promise<void>;
  sums(orgid: string): Promise<void>;
  overview(orgid: string, period: string): Promise<void>;
  /** Downloads the ledger. @param pauseFor milliseconds that the reader pauses partway */
  table(orgid: string, pauseFor?: number): Promise<{ readonly bytes: number; readonly lines: number }>;
};

const EMAIL = 'editor@bench.example';
const CALLER = { 'x-requested-with': 'bench' };
const BYTES_BEFORE_PAUSE = 1_000_000;

/** Signs in by a mailed link as the editor of these organizations. */
export async function signInEditor(url: string, client: pg.Client, orgids: readonly string[]): Promise<EditorCalls> {
  const cookie = await signIn(url);
  const person = await client.query<{ id: string }>('select id from users where email = $1', [EMAIL]);
  for (const orgid of orgids) {
    await client.query(`insert into org_editors (org_id, user_id, display_name) values ($1, $2, '')`, [
      orgid,
      person.rows[0]?.id,
    ]);
  }
  const answer = await fetch(`${url}${callPath('readToken', {})}`, { method: 'POST', headers: { ...CALLER, cookie } });
  const { token } = (await answer.json()) as { token: string };
  const headers = { ...CALLER, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async <Name extends CallName>(name: Name, params: CallParams<Name>, more: RequestInit, query = '') => {
    const response = await fetch(url + callPath(name, params) + query, {
      method: CALLS[name].method,
      headers,
      ...more,
    });
    if (!response.ok) throw new Error(`${name} answered ${response.status}: ${await response.text()}`);
    return response;
  };
  return {
    search: async (orgid, body) => {
      await (await call('searchCheckouts', { orgid }, { body: JSON.stringify(body) })).arrayBuffer();
    },
    sums: async (orgid) => {
      await (await call('sumCheckouts', { orgid }, { body: '{}' })).arrayBuffer();
    },
    overview: async (orgid, period) => {
      await (await call('readOverview', { orgid }, {}, `?period=${period}`)).arrayBuffer();
    },
    table: async (orgid, pauseFor = 0) => readTable(await call('downloadLedger', { orgid }, {}), pauseFor),
  };
}

async function readTable(answer: Response, pauseFor: number) {
  let [bytes, lines, hasPaused] = [0, -1, false];
  for await (const part of answer.body ?? []) {
    bytes += part.length;
    for (const byte of part) if (byte === 10) lines += 1;
    if (pauseFor > 0 && !hasPaused && bytes > BYTES_BEFORE_PAUSE) {
      hasPaused = true;
      await pause(pauseFor);
    }
  }
  return { bytes, lines };
}

async function signIn(url: string): Promise<string> {
  const post = (name: 'sendSignInLink' | 'signInByLink', body: object) =>
    fetch(url + callPath(name, {}), {
      method: 'POST',
      headers: { ...CALLER, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('sendSignInLink', { email: EMAIL });
  for (let tries = 0; tries < 100; tries += 1) {
    const mails = (await (await fetch(`${url}/dev/mailbox.json`)).json()) as readonly { text: string }[];
    const code = mails.map(({ text }) => /email-signin\?code=([\w-]+)/.exec(text)?.[1]).find(Boolean);
    if (code) {
      const opened = await post('signInByLink', { email: EMAIL, code });
      return opened.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; ');
    }
    await pause(200);
  }
  throw new Error('No link was mailed.');
}
