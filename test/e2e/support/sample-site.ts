import { randomUUID } from 'node:crypto';
import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import { buildDatabaseUrl, copyDatabase, runStatements } from '#test/support/postgres-server.ts';
import { type ServerProcess, startServer } from '#test/support/server-process.ts';

/** Environment variables that pass the test site's data to the workers. */
const DATA_VARIABLE = 'SAMPLE_DATA';
const POSTGRES_VARIABLE = 'SAMPLE_POSTGRES';
const SITE_VARIABLE = 'SAMPLE_SITE';
const DATABASE_VARIABLE = 'SAMPLE_DATABASE';

type Env = Readonly<Record<string, string>>;

/** Base URL and database of the site under test. */
export type Site = { readonly url: string; readonly database: string };

/** A running site with the URL of its database. */
export type SampleSite = ServerProcess & Site;

/**
 * Email addresses that become admins with their first login. A journey may change its admin, so each uses a different
 * one.
 */
export const ADMINS: readonly string[] = Array.from({ length: 1000 }, (_, index) => `admin-${index}@example.org`);

/**
 * Starts the site that journeys share, and makes the sample that their own sites are copied from.
 * @returns a function that stops the site and throws if it logged an error
 */
export async function startSharedSite(): Promise<() => Promise<void>> {
  const postgres = await startPostgresServer();
  await runStatements(postgres.socketUrl, 'create database sample');
  const sample = await startServer({ env: { DATABASE_URL: buildDatabaseUrl(postgres.socketUrl, 'sample') } });
  await sample.stop();
  if (sample.errors.length > 0) throw new Error(`The sample data was not created:\n${sample.errors.join('\n')}`);
  process.env[DATA_VARIABLE] = sample.dataDir;
  process.env[POSTGRES_VARIABLE] = postgres.socketUrl;

  const site = await startSampleSite({ TRUSTED_PROXIES: '127.0.0.1,::1' });
  process.env[SITE_VARIABLE] = site.url;
  process.env[DATABASE_VARIABLE] = site.database;
  return async () => {
    await site.stop();
    await Promise.all([site.deleteData(), sample.deleteData(), postgres.stop()]);
    if (site.errors.length > 0) throw new Error(`The site logged errors:\n${site.errors.join('\n')}`);
  };
}

/** The site that journeys share. */
export function getSharedSite(): Site {
  return { url: process.env[SITE_VARIABLE] ?? '', database: process.env[DATABASE_VARIABLE] ?? '' };
}

let workerSite: Site | undefined;

/** Sets the site for the journey that this worker runs. */
export function setSite(site: Site): void {
  workerSite = site;
}

/** The site for the journey that this worker runs. */
export function getCurrentSite(): Site {
  return workerSite ?? getSharedSite();
}

/** Starts a site with its own copy of the sample. */
export async function startSampleSite(env: Env = {}): Promise<SampleSite> {
  const name = `site_${randomUUID().replaceAll('-', '')}`;
  const database = await copyDatabase(process.env[POSTGRES_VARIABLE] ?? '', { from: 'sample', to: name });
  const settings = { ADMIN_EMAILS: ADMINS.join(), DATABASE_URL: database };
  const site = await startServer({ env: { ...settings, ...env }, sourceDataDir: process.env[DATA_VARIABLE] });
  return { ...site, database };
}

/** Restarts a stopped site with the same data and address. */
export async function restartSite(site: SampleSite, env: Env = {}): Promise<SampleSite> {
  const { database } = site;
  return { ...(await startServer({ env: { DATABASE_URL: database, ...env }, previousServer: site })), database };
}
