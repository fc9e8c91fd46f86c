import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { sendSecondFactorEmail } from '#server/features/second-factors/send-second-factor-email.job.ts';
import { setPassword } from '#server/features/sessions/accounts.store.ts';
import { sendSessionEmail } from '#server/features/sessions/send-session-email.job.ts';
import { finishSignUp } from '#server/features/sessions/sign-up.ts';
import type { Email, Mailer } from '#server/gateways/email/mailer.ts';
import type { GoogleClient } from '#server/gateways/identity/google-sign-in.ts';
import type { Job } from '#server/jobs/define-job.ts';
import type { Log } from '#server/log.ts';
import { type Browser, openBrowser } from './browser.ts';
import { buildTestApp, createTestDeps, createTestIdentity } from './build-app.ts';
import { addUser } from './builders/user.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { extractLinks } from './email-text.ts';
import { createJobRecorder, type JobRecorder } from './job-recorder.ts';

export type People = {
  readonly db: Database;
  readonly deps: AppDeps;
  readonly app: FastifyInstance;
  readonly clock: TestClock;
  readonly jobs: JobRecorder;
  readonly openBrowser: (language?: string) => Browser;
  /** Adds a user with a password and, by default, a verified address. @returns the id */
  readonly addUser: (person: {
    readonly email: string;
    readonly verified?: boolean;
    readonly name?: string;
  }) => Promise<string>;
  /** Logs the user in with the password in a new browser. */
  readonly logIn: (email: string) => Promise<{ readonly browser: Browser; readonly token: string }>;
  /** Runs all queued jobs. @returns the emails they sent */
  readonly runJobs: () => Promise<readonly Email[]>;
  /** Runs all queued jobs. @returns all emails to an address, oldest first */
  readonly readEmailsTo: (email: string) => Promise<readonly Email[]>;
  /** The code in the latest link that was emailed to an address. */
  readonly readCodeFor: (email: string) => Promise<string>;
};

export type PeopleOptions = {
  /** A Google client, and a log for its failures. */
  readonly google?: { readonly client: GoogleClient; readonly log: Log };
  /** True in production. */
  readonly adminsNeedSecondFactor?: boolean;
};

/** The password of every user added here. */
export const PASSWORD = 'warm homes, cooler planet';

const PEOPLE_JOBS: readonly Job<object, AppDeps & { readonly mailer: Mailer }>[] = [
  finishSignUp,
  sendSecondFactorEmail,
  sendSessionEmail,
];

/** The app with real sign-in, a stopped clock, and emails that tests can read. */
export async function startPeople({ google, adminsNeedSecondFactor = false }: PeopleOptions = {}): Promise<People> {
  const db = await createTestDatabase();
  const clock = createTestClock();
  const jobs = createJobRecorder();
  const plainDeps = await createTestDeps(db, { now: clock.now, jobs });
  const deps = google
    ? {
        ...plainDeps,
        identity: createTestIdentity({ ...plainDeps, google: google.client, log: google.log, adminsNeedSecondFactor }),
      }
    : plainDeps;
  const app = await buildTestApp(deps);
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  let processedCount = 0;
  const runJobs = async () => {
    const sentCount = sentEmails.length;
    while (processedCount < jobs.recordedJobs.length) {
      const job = jobs.recordedJobs[processedCount];
      processedCount += 1;
      await PEOPLE_JOBS.find(({ name }) => name === job?.name)?.run({ ...deps, mailer }, job?.data);
    }
    return sentEmails.slice(sentCount);
  };
  const readEmailsTo = async (email: string) => {
    await runJobs();
    return sentEmails.filter(({ to }) => to === email);
  };
  const readCodeFor = async (email: string) => {
    const emailWithCode = (await readEmailsTo(email)).findLast(({ html }) => html.includes('code='));
    if (!emailWithCode) throw new Error(`No code was emailed to ${email}.`);
    return extractCode(emailWithCode);
  };
  const addPerson: People['addUser'] = async ({ email, verified = true, name = 'Uma User' }) => {
    const userId = await addUser(db, { email, email_verified: verified, display_name: name });
    const hash = await deps.identity.hashPassword(PASSWORD);
    await inTransaction(db, (tx) => setPassword(tx, newId(), userId, hash));
    return userId;
  };
  const logIn = async (email: string) => {
    const browser = openBrowser(app);
    const response = await browser.call('signInWithPassword', { email, password: PASSWORD });
    return { browser, token: response.json<{ token: string }>().token };
  };
  return {
    db,
    deps,
    app,
    clock,
    jobs,
    openBrowser: (language) => openBrowser(app, language),
    addUser: addPerson,
    logIn,
    runJobs,
    readEmailsTo,
    readCodeFor,
  };
}

/** The code in an email's link. */
export function extractCode({ html }: Email): string {
  const [code] = extractLinks(html).flatMap((link) => URL.parse(link)?.searchParams.get('code') ?? []);
  if (!code) throw new Error('This email has no code.');
  return code;
}
