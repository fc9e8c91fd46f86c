import { randomInt, randomUUID } from 'node:crypto';
import { type Page, request } from '@playwright/test';
import { getCurrentSite } from './sample-site.ts';
import { type Caller, callWithToken, newEmail, nextAdminEmail, signInAs } from './sign-in.ts';

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
  const { email = nextAdminEmail() } = fund;
  await signInAs(page, email);
  return runAsAdmin((admin) => createFund(admin, { ...fund, email }));
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
  await runAsAdmin(async (admin) => {
    const response = await callWithToken(admin, 'PUT', `${org}/editors`, { email, role });
    if (!response.ok()) throw new Error(`${email} did not become an editor: ${await response.text()}`);
  });
  return email;
}

/** Runs a function that makes calls as an admin, without a page. */
export async function runAsAdmin<Result>(run: (admin: Caller) => Promise<Result>): Promise<Result> {
  const { url } = getCurrentSite();
  // Uses an IP address that makes no other calls, so that no rate limit is reached.
  const ipAddress = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  const apiContext = await request.newContext({ baseURL: url, extraHTTPHeaders: { 'x-forwarded-for': ipAddress } });
  try {
    await signInAs({ request: apiContext }, nextAdminEmail());
    return await run({ request: apiContext });
  } finally {
    await apiContext.dispose();
  }
}
