import { randomUUID } from 'node:crypto';
import type { APIResponse, Browser, Page } from '@playwright/test';
import { ADMINS, expect, mailbox, ORG } from './journey.ts';

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
export async function mailsTo(_page: Page, email: string): Promise<readonly StoredMail[]> {
  const mails = (await (await fetch(mailbox.url)).json()) as readonly StoredMail[];
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

/** A call as the pages make it, which needs no token. */
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
    // An invitation's link, which may come only now, is another one.
    const isOther = ({ id, text }: StoredMail) => before.has(id) || text.includes('invited=1');
    const mails = (await mailsTo(page, email)).filter((mail) => !isOther(mail));
    code = mails.map(({ text }) => /email-signin\?code=([\w-]+)/.exec(text)?.[1]).find(Boolean);
    expect(code).toBeDefined();
  }).toPass({ timeout: 30_000 });
  expect((await post(page, '/session/link', { email, code })).ok()).toBe(true);
}

/** Signs in as a new editor of the sample organization. @returns the email */
export async function signInAsEditor(page: Page, browser: Browser, name: string): Promise<string> {
  const email = newEmail(name);
  await signInAs(page, email);
  const elsewhere = await browser.newContext();
  const admin = await elsewhere.newPage();
  await signInAs(admin, adminEmail());
  expect((await callAs(admin, 'PUT', `${ORG}/editors`, { email })).ok()).toBe(true);
  await elsewhere.close();
  return email;
}

/** A call as the pages of a signed-in user make it. */
export async function callAs(
  page: Page,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  data?: object,
): Promise<APIResponse> {
  const { token }: { token: string } = await (await post(page, '/session/token')).json();
  const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' };
  return page.request.fetch(`/api${path}`, data === undefined ? { method, headers } : { method, headers, data });
}
