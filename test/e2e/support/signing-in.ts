import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { ADMINS, expect } from './journey.ts';

type StoredMail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly type: string }[];
};

let admins = 0;

/** An address that nobody else has: "ada.1f0c3a2b@example.org". */
export function newEmail(name: string): string {
  return `${name}.${randomUUID().slice(0, 8)}@example.org`;
}

/** The address of an admin, another one each time. */
export function adminEmail(): string {
  const email = ADMINS[admins % ADMINS.length];
  admins += 1;
  return email ?? '';
}

/** The mails to an address, newest first. */
export async function mailsTo(page: Page, email: string): Promise<readonly StoredMail[]> {
  const mails: readonly StoredMail[] = await (await page.request.get('/dev/mailbox.json')).json();
  return mails.filter(({ to }) => to === email);
}

/** A mail that comes to an address, by a part of its words. */
export async function awaitMail(page: Page, email: string, words: string): Promise<StoredMail> {
  let found: StoredMail | undefined;
  await expect(async () => {
    found = (await mailsTo(page, email)).find(({ text }) => text.includes(words));
    expect(found).toBeDefined();
  }).toPass({ timeout: 30_000 });
  return found ?? Promise.reject(new Error(`No mail came to ${email}.`));
}

/** A call as the pages make it. */
export async function post(page: Page, path: string, data?: object) {
  const headers = { 'x-requested-with': 'XMLHttpRequest' };
  return page.request.post(`/api${path}`, data === undefined ? { headers } : { headers, data });
}

/**
 * Signs somebody in by a mailed link, by its calls. The pages that are opened afterwards are those of somebody who is
 * signed in, with a proven address; a person without an account has one then.
 */
export async function signInAs(page: Page, email: string): Promise<void> {
  const before = new Set((await mailsTo(page, email)).map(({ id }) => id));
  expect((await post(page, '/session/link-requests', { email })).ok()).toBe(true);
  let code: string | undefined;
  await expect(async () => {
    const mails = (await mailsTo(page, email)).filter(({ id }) => !before.has(id));
    code = mails.map(({ text }) => /email-signin\?code=([\w-]+)/.exec(text)?.[1]).find(Boolean);
    expect(code).toBeDefined();
  }).toPass({ timeout: 30_000 });
  expect((await post(page, '/session/link', { email, code })).ok()).toBe(true);
}

/** The identity token of the logged-in user. */
export async function tokenOf(page: Page): Promise<string> {
  const { token }: { token: string } = await (await post(page, '/session/token')).json();
  return token;
}
