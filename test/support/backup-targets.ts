import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import { inject } from 'vitest';
import { createScratchFolder } from '#scripts/scratch-folder.ts';
import type { RestoreTarget } from '#server/features/backups/restore-backup.ts';
import { deferCleanup } from './defer-cleanup.ts';
import { buildDatabaseUrl, runStatements } from './postgres-server.ts';

/** An empty folder to restore a backup into. */
export async function createFolderTarget(): Promise<RestoreTarget> {
  const dataDir = await createScratchFolder('target');
  deferCleanup(() => fs.rm(dataDir, { recursive: true, force: true }));
  return { databaseUrl: undefined, migrateDatabaseUrl: undefined, dataDir };
}

/** An empty database on the test server to restore a backup into. */
export async function createDatabaseTarget(): Promise<RestoreTarget & { readonly databaseUrl: string }> {
  const server = inject('postgresUrl');
  const name = `target_${randomUUID().replaceAll('-', '')}`;
  await runStatements(server, `create database ${name}`);
  deferCleanup(() => runStatements(server, `drop database ${name} with (force)`));
  return { databaseUrl: buildDatabaseUrl(server, name), migrateDatabaseUrl: undefined, dataDir: '' };
}
