import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { createLogSpy } from './log-spy.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server for this test run. Its database `template` is migrated, and nothing may stay connected to it. */
    postgresUrl: string;
    /** The same server over TCP. */
    postgresTcpUrl: string;
  }
}

type ServerUrls = { readonly url: string; readonly socketUrl: string };

/** Environment variable with the server's addresses as JSON. Vitest runs `setup` once for each project. */
const SERVER_VARIABLE = 'TEST_POSTGRES';

/** Starts a real PostgreSQL server with a migrated template database, which all projects of this run share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startedServer = process.env[SERVER_VARIABLE];
  if (startedServer !== undefined) {
    provideUrls(project, JSON.parse(startedServer) as ServerUrls);
    return async () => {};
  }
  const server = await startPostgresServer();
  const { url, socketUrl } = server;
  await createTemplate(socketUrl);
  process.env[SERVER_VARIABLE] = JSON.stringify({ url, socketUrl } satisfies ServerUrls);
  provideUrls(project, { url, socketUrl });
  return () => server.stop();
}

function provideUrls(project: TestProject, { url, socketUrl }: ServerUrls): void {
  project.provide('postgresUrl', socketUrl);
  project.provide('postgresTcpUrl', url);
}

async function createTemplate(url: string): Promise<void> {
  await runStatements(url, 'create database template');
  const databaseUrl = buildDatabaseUrl(url, 'template');
  const database = await openDatabase({ databaseUrl, dataDir: '', log: createLogSpy().log });
  await migrate(database);
  await database.close();
}

/** Copies a database without connections. @returns the URL of the copy */
export async function copyDatabase(server: string, { from, to }: { from: string; to: string }): Promise<string> {
  await runStatements(server, `create database ${to} template ${from} strategy file_copy`);
  return buildDatabaseUrl(server, to);
}

export function buildDatabaseUrl(server: string, name: string): string {
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

/** Runs statements that affect the whole server, as its superuser. */
export async function runStatements(url: string, ...statements: readonly string[]): Promise<void> {
  const connection = connections.get(url) ?? openConnection(url);
  connections.set(url, connection);
  for (const statement of statements) await connection.query(statement);
}

/** Connections shared by all files of a worker, because PostgreSQL takes 20 ms or more to open one. */
const connections = new Map<string, pg.Pool>();

function openConnection(url: string): pg.Pool {
  const connection = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  // The server may stop first, which shouldn't fail a test.
  connection.on('error', () => {});
  return connection;
}
