import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { mailSession } from '#server/features/sessions/mail-session.ts';
import { setPassword } from '#server/features/sessions/people.store.ts';
import { finishSignUp } from '#server/features/sessions/sign-up.ts';
import type { Mail } from '#server/gateways/mail/mailer.ts';
import { newId } from '#server/ids.ts';
import { type Browser, openBrowser } from './browser.ts';
import { buildTestApp, testDeps } from './build-app.ts';
import { addUser } from './builders/user.ts';
import { type TestClock, testClock } from './clock.ts';
import { testDatabase } from './database.ts';
import { type KeptJobs, keptJobs } from './kept-jobs.ts';
import { linksOf } from './mail-words.ts';

export type People = {
  readonly db: Database;
  readonly deps: AppDeps;
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly jobs: KeptJobs;
  readonly browser: () => Browser;
  /** Adds a person with a password, whose address is proven unless it is said otherwise. @returns their id */
  readonly add: (person: {
    readonly email: string;
    readonly verified?: boolean;
    readonly name?: string;
  }) => Promise<string>;
  /** A browser in which such a person has signed in with the password. */
  readonly signedIn: (email: string) => Promise<{ readonly browser: Browser; readonly token: string }>;
  /** Does what was asked for until nothing is left. @returns the mails that went out by it */
  readonly workOff: () => Promise<readonly Mail[]>;
  /** The code in the one mail that goes out next. */
  readonly nextCode: () => Promise<string>;
};

/** The password of everybody who is added. */
export const PASSWORD = 'warm homes, cooler planet';

/** The app with sign-in as it is, a clock that stands still, and mails that a test can read. */
export async function startPeople(overrides: Partial<AppDeps> = {}): Promise<People> {
  const db = await testDatabase();
  const clock = testClock();
  const jobs = keptJobs();
  const deps = await testDeps(db, { now: clock.now, jobs, ...overrides });
  const app = await buildTestApp(deps);
  let done = 0;
  const workOff = async () => {
    const sent: Mail[] = [];
    const mailer = { send: async (mail: Mail) => void sent.push(mail), close: async () => {} };
    for (; done < jobs.kept.length; done += 1) {
      const job = jobs.kept[done];
      if (job?.name === 'sign-up') await finishSignUp(deps, job.data);
      if (job?.name === 'mail-session') await mailSession({ ...deps, mailer }, job.data);
    }
    return sent;
  };
  const nextCode = async () => {
    const mails = await workOff();
    const [mail] = mails;
    if (!mail || mails.length > 1) throw new Error(`There were ${mails.length} mails.`);
    return codeIn(mail);
  };
  const add: People['add'] = async ({ email, verified = true, name = 'Uma User' }) => {
    const userId = await addUser(db, { email, email_verified: verified, display_name: name });
    const hash = await deps.identity.hashPassword(PASSWORD);
    await inTransaction(db, (tx) => setPassword(tx, newId(), userId, hash));
    return userId;
  };
  const signedIn = async (email: string) => {
    const browser = openBrowser(app);
    const answer = await browser.call('signInByPassword', { email, password: PASSWORD });
    return { browser, token: answer.json<{ token: string }>().token };
  };
  return { db, deps, app, clock, jobs, browser: () => openBrowser(app), add, signedIn, workOff, nextCode };
}

/** The code of the link in a mail. */
export function codeIn(mail: Mail): string {
  const codes = linksOf(mail.html).flatMap((link) => URL.parse(link)?.searchParams.get('code') ?? []);
  const [code] = codes;
  if (!code) throw new Error('There is no code in this mail.');
  return code;
}
