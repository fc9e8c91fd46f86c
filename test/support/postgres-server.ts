import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgresServer } from '#scripts/postgres/start-postgres.ts';
import { openDatabase } from '#server/db/connection.ts';
import { migrate } from '#server/db/migrate.ts';
import { watchedLog } from './watched-log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of this run. Its database `template` is migrated; nothing may stay connected to it. */
    postgresUrl: string;
  }
}

/** Once per run: starts a real PostgreSQL server with a migrated template database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  await makeTemplate(server.url);
  project.provide('postgresUrl', server.url);
  return () => server.stop();
}

async function makeTemplate(url: string): Promise<void> {
  await onServer(url, 'create database template');
  const template = new URL(url);
  template.pathname = '/template';
  const database = await openDatabase({ databaseUrl: template.href, dataDir: '', log: watchedLog().log });
  await migrate(database);
  await database.close();
}

/** Runs a statement that concerns the whole server. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
