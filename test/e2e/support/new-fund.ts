import { randomInt, randomUUID } from 'node:crypto';
import { type Page, request } from '@playwright/test';
import { currentSite } from './sample-site.ts';
import { adminEmail, type Caller, callAs, newEmail, signInAs } from './signing-in.ts';

type NewFund = Readonly<Record<'name' | 'slug' | 'tag' | 'place' | 'email', string>>;

/**
 * Makes a fund that no other journey uses.
 * @param fund may set its first editor's email, who never logs in by default
 * @returns its id
 */
export async function newFund(admin: Caller, fund: Partial<NewFund> = {}): Promise<string> {
  const slug = `fund-${randomUUID().slice(0, 8)}`;
  const defaults = { name: 'Small Fund', slug, tag: 'Warm homes, cooler planet', place: '', email: newEmail('first') };
  const { id }: { id: string } = await (await callAs(admin, 'POST', '/orgs', { ...defaults, ...fund })).json();
  return id;
}

/**
 * Makes a fund whose editor is logged in on the page. The editor is the user with `email`, or an admin.
 * @returns its id
 */
export async function openNewFund(page: Page, fund: Partial<NewFund> = {}): Promise<string> {
  const { email = adminEmail() } = fund;
  await signInAs(page, email);
  return asAdmin((admin) => newFund(admin, { ...fund, email }));
}

/** Logs in on the page as a new editor of an organization, by default the sample. @returns the email */
export async function signInAsEditor(
  page: Caller,
  name: string,
  org = '/orgs/sample',
  role = 'editor',
): Promise<string> {
  const email = newEmail(name);
  await signInAs(page, email);
  await asAdmin(async (admin) => {
    const response = await callAs(admin, 'PUT', `${org}/editors`, { email, role });
    if (!response.ok()) throw new Error(`${email} did not become an editor: ${await response.text()}`);
  });
  return email;
}

/** Makes calls as an admin without a page. */
export async function asAdmin<Result>(work: (admin: Caller) => Promise<Result>): Promise<Result> {
  const { url } = currentSite();
  // From an address with no other calls, so that no rate limit is reached.
  const client = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const calls = await request.newContext({ baseURL: url, extraHTTPHeaders: { 'x-forwarded-for': client } });
  try {
    await signInAs({ request: calls }, adminEmail());
    return await work({ request: calls });
  } finally {
    await calls.dispose();
  }
}
