import { randomUUID } from 'node:crypto';
import { type APIRequestContext, type APIResponse, expect, test } from '@playwright/test';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Tables } from '#server/db/tables.ts';
import { insertCode } from '#server/features/sessions/email-codes.store.ts';
import { generateSecret, hashSecret } from '#server/features/sessions/secrets.ts';
import { ADMINS, getCurrentSite } from './sample-site.ts';

type StoredEmail = {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly type: string }[];
};

/** A page, or a client for calls without a page. */
export type Caller = { readonly request: APIRequestContext };

const ADMINS_PER_WORKER = 100;
let adminCount = 0;

/** Creates a unique address, such as "ada.1f0c3a2b@example.org". */
export function newEmail(name: string): string {
  return `${name}.${randomUUID().slice(0, 8)}@example.org`;
}

/** Returns a different admin's address on each call. */
export function nextAdminEmail(): string {
  const email = ADMINS[(test.info().workerIndex * ADMINS_PER_WORKER + adminCount) % ADMINS.length];
  adminCount += 1;
  return email ?? '';
}

/** The emails sent to an address, newest first. */
export async function readEmails(email: string): Promise<readonly StoredEmail[]> {
  const address = new URL(`/dev/mailbox.json?to=${encodeURIComponent(email)}`, getCurrentSite().url);
  return (await fetch(address)).json() as Promise<readonly StoredEmail[]>;
}

/** Waits for an email to this address whose text contains the phrase. */
export async function awaitEmail(email: string, phrase: string): Promise<StoredEmail> {
  let storedEmail: StoredEmail | undefined;
  await expect(async () => {
    storedEmail = (await readEmails(email)).find(({ text }) => text.includes(phrase));
    expect(storedEmail).toBeDefined();
  }).toPass({ timeout: 30_000 });
  return storedEmail ?? Promise.reject(new Error(`No email arrived at ${email}.`));
}

/** Makes a call as the web client does, without a token. */
export async function postCall({ request }: Caller, path: string, data?: object): Promise<APIResponse> {
  const headers = { 'x-requested-with': 'XMLHttpRequest' };
  return request.post(`/api${path}`, data === undefined ? { headers } : { headers, data });
}

/**
 * Logs in a user with the code of a sign-in link that was never emailed (sign-in.e2e.ts follows emailed links). A user
 * without an account gets one with a verified address.
 */
export async function signInAs(page: Caller, email: string): Promise<void> {
  const code = generateSecret();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + 600_000);
  const emailCodeRow = { purpose: 'sign-in', hash: hashSecret(code), email, userId: undefined, expiresAt } as const;
  await withDatabase((db) => insertCode(db, emailCodeRow, now));
  const response = await postCall(page, '/session/link', { email, code });
  if (!response.ok()) throw new Error(`${email} was not logged in: ${await response.text()}`);
}

/** Makes the user's last login or confirmation more than an hour old. */
export async function expireConfirmations(email: string): Promise<void> {
  await withDatabase((db) =>
    db
      .updateTable('sessions')
      .set({ authenticated_at: sql`authenticated_at - interval '61 minutes'` })
      .where('user_id', 'in', db.selectFrom('users').select('id').where('email', '=', email))
      .execute(),
  );
}

async function withDatabase(run: (db: Kysely<Tables>) => Promise<unknown>): Promise<void> {
  const pool = new pg.Pool({ connectionString: getCurrentSite().database, max: 1 });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await run(db);
  } finally {
    await db.destroy();
  }
}

/** Makes a call as the web client does for a logged-in user. */
export async function callWithToken(
  page: Caller,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  data?: object,
): Promise<APIResponse> {
  const { token }: { token: string } = await (await postCall(page, '/session/token')).json();
  const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' };
  return page.request.fetch(`/api${path}`, data === undefined ? { method, headers } : { method, headers, data });
}
