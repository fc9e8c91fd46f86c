import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { splitHosts } from './hosts.ts';

/**
 * The default data folder, used without `DATA_DIR`: `data` in the current folder.
 *
 * For root, it is a folder below `/var/lib` if other users can't enter the current folder, such as root's home. PostgreSQL
 * doesn't run as root, and its user must be able to access its files.
 */
export function getDefaultDataDir(): string {
  const currentFolder = path.resolve('data');
  if (process.getuid?.() !== 0 || existsSync(currentFolder) || canEveryoneEnter(path.dirname(currentFolder)))
    return currentFolder;
  return path.join('/var/lib/city-climate-fund', currentFolder.slice(1).replaceAll('/', '-'));
}

function canEveryoneEnter(folder: string): boolean {
  const canEnter = (statSync(folder).mode & 0o001) !== 0;
  const parent = path.dirname(folder);
  return canEnter && (parent === folder || canEveryoneEnter(parent));
}

/** Describes the database for operators, without the user name and password. */
export function describeDatabase(location: {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
}): string {
  const { databaseUrl, dataDir } = location;
  if (databaseUrl === undefined) return `embedded, in ${getEmbeddedFolder(dataDir)}`;
  const urls = splitHosts(databaseUrl).map((url) => URL.parse(url));
  const hosts = urls.map((url) => url?.host || (url?.searchParams.get('host') ?? 'this machine'));
  return `PostgreSQL, ${urls[0]?.pathname.slice(1)} on ${hosts.join(', ')}`;
}

/** Folder of the embedded database inside the data folder. */
export function getEmbeddedFolder(dataDir: string): string {
  return path.join(dataDir, 'postgres');
}
