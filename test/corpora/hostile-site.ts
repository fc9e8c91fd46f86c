import type { FastifyInstance } from 'fastify';
import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import { recordOperationEvent } from '#server/features/operation/operation.store.ts';
import type { Pictures } from '#server/gateways/pictures/pictures.ts';
import { buildTestApp, createTestDeps } from '#test/support/build-app.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { deferCleanup } from '#test/support/defer-cleanup.ts';
import { createJobRecorder, type JobRecorder } from '#test/support/job-recorder.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { startServer } from '#test/support/server-process.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';
import { openPageReaders, type PageReaders } from './page-readers.ts';

const EMAIL = 'everything@example.org';
/** Some calls require a token from the last five minutes. */
const TOKEN_REUSE_MS = 4 * 60_000;
const PLACEHOLDER_PHOTO: StoredPhoto = { key: 'none', width: 320, height: 240, widths: [320] };

/**
 * The whole program in its own process, viewed by a real browser, plus an app on the same database in this process,
 * which plants the texts. The app skips picture processing and password hashing, so thousands of calls take only minutes.
 */
export type HostileSite = PageReaders & {
  readonly app: FastifyInstance;
  /** Address at which the app accepts forms. */
  readonly appUrl: string;
  /** URL of the running program. */
  readonly url: string;
  readonly db: Database;
  /** Jobs that the app's calls queued. */
  readonly jobs: JobRecorder;
  /** A sample editor who is also an admin, with a fresh token. */
  readonly getEditor: () => Promise<Pick<SignedInPerson, 'headers' | 'userId'>>;
};

/** Call this at the top of the file. Everything is shut down after the last test. */
export async function openHostileSite(): Promise<HostileSite> {
  const cleanups: (() => Promise<unknown>)[] = [];
  deferCleanup(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
  });
  const postgres = await startPostgresServer();
  cleanups.push(() => postgres.stop());
  const server = await startServer({ env: { DATABASE_URL: postgres.url } });
  cleanups.push(
    () => server.deleteData(),
    () => server.stop(),
  );
  const { log } = createLogSpy();
  const db = await openDatabase({ databaseUrl: postgres.url, dataDir: '', log });
  cleanups.push(() => db.close());
  // Planted checkouts have no ledger entries, so the program must not verify the books.
  await recordOperationEvent(db.kysely, 'books-verified', new Date(), 0);
  const jobs = createJobRecorder();
  const baseDeps = await createTestDeps(db, { jobs });
  const pictures: Pictures = { ...baseDeps.pictures, store: async () => PLACEHOLDER_PHOTO };
  const deps = { ...baseDeps, pictures, identity: { ...baseDeps.identity, hashPassword: async () => 'no hash' } };
  const app = await buildTestApp(deps);
  const person = await signIn(deps, { email: EMAIL, admin: true, editorOf: ['sample'] });
  const pageReaders = await openPageReaders(server.url, EMAIL);
  cleanups.push(() => pageReaders.close());
  deferCleanup(() => {
    if (server.errors.length > 0) throw new Error(`The program logged errors:\n${server.errors.join('\n')}`);
  });
  const getEditorHeaders = createHeaderCache(async () => {
    // Roles, money, and whole organizations require a recent confirmation.
    const refreshConfirmation = db.kysely.updateTable('sessions').set({ authenticated_at: new Date() });
    await refreshConfirmation.where('id', '=', person.sessionId).execute();
    return (await deps.identity.issueToken(person.sessionId))?.token;
  });
  const getEditor = async () => ({ userId: person.userId, headers: await getEditorHeaders() });
  return { ...pageReaders, app, appUrl: await listenLocally(app), url: server.url, db, jobs, getEditor };
}

function createHeaderCache(issueToken: () => Promise<string | undefined>): () => Promise<SignedInPerson['headers']> {
  let token: string | undefined;
  let issuedAt = 0;
  return async () => {
    if (Date.now() - issuedAt > TOKEN_REUSE_MS) {
      token = await issueToken();
      issuedAt = Date.now();
    }
    return { authorization: `Bearer ${token}`, 'x-requested-with': 'corpora' };
  };
}
