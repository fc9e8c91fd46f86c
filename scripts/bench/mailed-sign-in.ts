import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from '@playwright/test';
import { callPath } from '#contract/calls.ts';

const MAIL_WITHIN_MS = 30_000;

/** Signs a browser in by a mailed link, read from the development mailbox. Whoever had no account has one then. */
export async function signInByMail({ request }: BrowserContext, url: string, email: string): Promise<void> {
  const send = async (name: 'sendSignInLink' | 'signInByLink', data: object) => {
    const headers = { 'x-requested-with': 'bench' };
    const answer = await request.post(url + callPath(name, {}), { headers, data });
    if (!answer.ok()) throw new Error(`${name} answered ${answer.status()}`);
  };
  const mailedCode = async (): Promise<string | undefined> => {
    const answer = await request.get(`${url}/dev/mailbox.json`);
    const mails = (await answer.json()) as { readonly to: string; readonly text: string }[];
    const texts = mails.filter(({ to }) => to === email).map(({ text }) => text);
    return texts.map((text) => /email-signin\?code=([\w-]+)/.exec(text)?.[1]).find(Boolean);
  };
  await send('sendSignInLink', { email });
  const deadline = Date.now() + MAIL_WITHIN_MS;
  let code = await mailedCode();
  while (code === undefined && Date.now() < deadline) {
    await pause(100);
    code = await mailedCode();
  }
  await send('signInByLink', { email, code });
}
