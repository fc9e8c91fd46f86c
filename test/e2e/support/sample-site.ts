import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import { type OwnServer, startServer } from '#test/support/own-server.ts';
import { copyDatabase, onServer, urlOfDatabase } from '#test/support/postgres-server.ts';

/** Where the workers find the data that is made before they start: folders, and a server with the database `sample`. */
const EMBEDDED_DATA = 'SAMPLE_DATA';
const POSTGRES_DATA = 'SAMPLE_DATA_ON_POSTGRES';
const POSTGRES_URL = 'SAMPLE_POSTGRES_URL';

/**
 * Makes data with the sample organization, once a run and on each engine: that takes ten times as long as to copy it.
 * @returns what takes it away again
 */
export async function makeSampleData(): Promise<() => Promise<void>> {
  const cleaning = await Promise.all([makeEmbedded(), makeOnPostgres()]);
  return async () => {
    await Promise.all(cleaning.map((clean) => clean()));
  };
}

async function makeEmbedded(): Promise<() => Promise<void>> {
  const site = await madeBy({});
  process.env[EMBEDDED_DATA] = site.dataDir;
  return () => site.clean();
}

async function makeOnPostgres(): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  await onServer(server.url, 'create database sample');
  const site = await madeBy({ env: { DATABASE_URL: urlOfDatabase(server.url, 'sample') } });
  process.env[POSTGRES_DATA] = site.dataDir;
  process.env[POSTGRES_URL] = server.url;
  return async () => {
    await site.clean();
    await server.stop();
  };
}

async function madeBy(options: Parameters<typeof startServer>[0]): Promise<OwnServer> {
  const site = await startServer(options);
  await site.stop();
  if (site.errors.length > 0) throw new Error(`The sample could not be made:\n${site.errors.join('\n')}`);
  return site;
}

type Env = Readonly<Record<string, string>>;

/** Starts the program as `npm start` does, on the embedded database, with its own sample data. */
export async function startSampleSite(env: Env): Promise<OwnServer> {
  return startServer({ env, from: process.env[EMBEDDED_DATA] });
}

/** The same on PostgreSQL, which answers with half of the work. @param name of its database */
export async function startSampleSiteOnPostgres(name: string, env: Env): Promise<OwnServer> {
  const databaseUrl = await copyDatabase(process.env[POSTGRES_URL] ?? '', { from: 'sample', to: name });
  return startServer({ env: { ...env, DATABASE_URL: databaseUrl }, from: process.env[POSTGRES_DATA] });
}

/** Changes what no page can, such as when something was done. */
export async function inDatabase(name: string, statement: string): Promise<void> {
  await onServer(urlOfDatabase(process.env[POSTGRES_URL] ?? '', name), statement);
}
