import { randomInt, randomUUID } from 'node:crypto';
import { type Page, request } from '@playwright/test';
import { currentSite } from './sample-site.ts';
import { adminEmail, type Caller, callWithToken, newEmail, signInAs } from './signing-in.ts';

type FundDetails = Readonly<Record<'name' | 'slug' | 'tag' | 'place' | 'email', string>>;

/**
 * Creates a fund that no other journey uses.
 * @param fund overrides; by default the first editor never logs in
 * @returns its id
 */
export async function createFund(admin: Caller, fund: Partial<FundDetails> = {}): Promise<string> {
  const slug = `fund-${randomUUID().slice(0, 8)}`;
  const defaults = { name: 'Small Fund', slug, tag: 'Warm homes, cooler planet', place: '', email: newEmail('first') };
  const { id }: { id: string } = await (await callWithToken(admin, 'POST', '/orgs', { ...defaults, ...fund })).json();
  return id;
}

/**
 * Creates a fund whose editor is logged in on the page. The editor is the user with `email`, or an admin.
 * @returns its id
 */
export async function openNewFund(page: Page, fund: Partial<FundDetails> = {}): Promise<string> {
  const { email = adminEmail() } = fund;
  await signInAs(page, email);
  return asAdmin((admin) => createFund(admin, { ...fund, email }));
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
    const response = await callWithToken(admin, 'PUT', `${org}/editors`, { email, role });
    if (!response.ok()) throw new Error(`${email} did not become an editor: ${await response.text()}`);
  });
  return email;
}

/** Runs a function that makes calls as an admin, without a page. */
export async function asAdmin<Result>(run: (admin: Caller) => Promise<Result>): Promise<Result> {
  const { url } = currentSite();
  // Uses an IP address that makes no other calls, so that no rate limit is reached.
  const client = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const calls = await request.newContext({ baseURL: url, extraHTTPHeaders: { 'x-forwarded-for': client } });
  try {
    await signInAs({ request: calls }, adminEmail());
    return await run({ request: calls });
  } finally {
    await calls.dispose();
  }
}
