import type { FastifyInstance } from 'fastify';
import { afterAll } from 'vitest';
import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { type Database, openDatabase } from '#server/db/connection.ts';
import type { Pictures } from '#server/gateways/pictures/pictures.ts';
import { buildTestApp, testDeps } from '#test/support/build-app.ts';
import { listenLocally } from '#test/support/card-provider.ts';
import { type JobRecorder, jobRecorder } from '#test/support/job-recorder.ts';
import { startServer } from '#test/support/own-server.ts';
import { type SignedInPerson, signIn } from '#test/support/sign-in.ts';
import { createLogSpy } from '#test/support/watched-log.ts';
import { openReaders, type Readers } from './hostile-readers.ts';

const EMAIL = 'everything@example.org';
/** Some calls require a token from the last five minutes. */
const TOKEN_MS = 4 * 60_000;
const PHOTO: StoredPhoto = { key: 'none', width: 320, height: 240, widths: [320] };

/**
 * The whole program in its own process, viewed by a real browser, plus an app on the same database in this process,
 * which plants the texts. The app skips picture processing and password hashing, so thousands of calls take only minutes.
 */
export type HostileSite = Readers & {
  readonly app: FastifyInstance;
  /** Address of the app that accepts forms. */
  readonly base: string;
  /** URL of the running program. */
  readonly url: string;
  readonly db: Database;
  /** Jobs that the app's calls queued. */
  readonly jobs: JobRecorder;
  /** A sample editor who is also an admin, with a fresh token. */
  readonly editor: () => Promise<Pick<SignedInPerson, 'headers' | 'userId'>>;
};

/** Call this at the top of the file. Everything is shut down after the last test. */
export async function openHostileSite(): Promise<HostileSite> {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const cleanUp of cleanups.toReversed()) await cleanUp();
  }, 60_000);
  const postgres = await startPostgresServer();
  cleanups.push(() => postgres.stop());
  const server = await startServer({ env: { DATABASE_URL: postgres.url } });
  cleanups.push(
    () => server.clean(),
    () => server.stop(),
  );
  const { log } = createLogSpy();
  const db = await openDatabase({ databaseUrl: postgres.url, dataDir: '', log });
  cleanups.push(() => db.close());
  const jobs = jobRecorder();
  const baseDeps = await testDeps(db, { jobs });
  const pictures: Pictures = { ...baseDeps.pictures, store: async () => PHOTO };
  const deps = { ...baseDeps, pictures, identity: { ...baseDeps.identity, hashPassword: async () => 'no hash' } };
  const app = await buildTestApp(deps);
  const person = await signIn(deps, { email: EMAIL, admin: true, editorOf: ['sample'] });
  const readers = await openReaders(server.url, EMAIL);
  cleanups.push(() => readers.close());
  afterAll(() => {
    if (server.errors.length > 0) throw new Error(`The program logged errors:\n${server.errors.join('\n')}`);
  });
  const editorHeaders = freshHeaders(async () => {
    // Roles, money, and whole organizations require a recent confirmation.
    const refreshConfirmation = db.kysely.updateTable('sessions').set({ authenticated_at: new Date() });
    await refreshConfirmation.where('id', '=', person.sessionId).execute();
    return (await deps.identity.issueToken(person.sessionId))?.token;
  });
  const editor = async () => ({ userId: person.userId, headers: await editorHeaders() });
  return { ...readers, app, base: await listenLocally(app), url: server.url, db, jobs, editor };
}

function freshHeaders(newToken: () => Promise<string | undefined>): () => Promise<SignedInPerson['headers']> {
  let token: string | undefined;
  let issuedAt = 0;
  return async () => {
    if (Date.now() - issuedAt > TOKEN_MS) {
      token = await newToken();
      issuedAt = Date.now();
    }
    return { authorization: `Bearer ${token}`, 'x-requested-with': 'corpora' };
  };
}
