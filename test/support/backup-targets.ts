import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { afterAll, inject } from 'vitest';
import { scratchFolder } from '#scripts/scratch-folder.ts';
import type { RestoreTarget } from '#server/features/backups/restore-backup.ts';
import { runStatements, urlOfDatabase } from './postgres-server.ts';

/** An empty folder to restore a backup into. */
export async function folderTarget(): Promise<RestoreTarget> {
  const dataDir = await scratchFolder('target');
  afterAll(() => fs.rm(dataDir, { recursive: true, force: true }));
  return { databaseUrl: undefined, migrateDatabaseUrl: undefined, dataDir };
}

/** An empty database on the test server to restore a backup into. */
export async function serverTarget(): Promise<RestoreTarget & { readonly databaseUrl: string }> {
  const server = inject('postgresUrl');
  const name = `target_${randomUUID().replaceAll('-', '')}`;
  await runStatements(server, `create database ${name}`);
  afterAll(() => runStatements(server, `drop database ${name} with (force)`));
  return { databaseUrl: urlOfDatabase(server, name), migrateDatabaseUrl: undefined, dataDir: '' };
}
