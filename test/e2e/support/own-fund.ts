import type { Page } from '@playwright/test';
import { adminEmail, callAs, newEmail, signInAs } from './signing-in.ts';

type NewFund = Readonly<Record<'name' | 'slug' | 'tag' | 'place' | 'email', string>>;

/**
 * Makes a fund that no other journey uses, as the admin who is signed in.
 * @param fund may name its first editor's email, who otherwise never signs in
 * @returns its id
 */
export async function newFund(admin: Page, fund: Partial<NewFund> = {}): Promise<string> {
  const slug = `fund-${crypto.randomUUID().slice(0, 8)}`;
  const made = { name: 'Small Fund', slug, tag: 'Warm homes, cooler planet', place: '', email: newEmail('first') };
  const sent = { ...made, ...fund };
  const { id }: { id: string } = await (await callAs(admin, 'POST', '/orgs', sent)).json();
  return id;
}

/** Signs in as an admin, who is also the editor of a new fund. @returns its id */
export async function ownFund(page: Page, fund: Partial<NewFund> = {}): Promise<string> {
  const email = adminEmail();
  await signInAs(page, email);
  return newFund(page, { ...fund, email });
}
