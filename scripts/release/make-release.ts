import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { replaceFolder } from '../build/replace-folder.ts';
import commands from '../commands.json' with { type: 'json' };
import { copyModules } from './copy-modules.ts';
import { listScripts } from './list-scripts.ts';
import { measureMegabytes } from './measure-megabytes.ts';
import { copyPreviousAssets } from './previous-assets.ts';

/** Folders needed at run time, in addition to the commands' scripts. The build includes the web client. */
const RELEASE_FOLDERS = [
  'src/domain',
  'src/contract',
  'src/sandbox',
  'src/server',
  'migrations',
  'build/messages',
  'build/renderer',
  'build/web',
  'docs',
];
export const RELEASE_FILES = [
  'build/cities.tsv.gz',
  'package-lock.json',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'src/web/fonts/bricolage-OFL.txt',
  'src/web/fonts/figtree-OFL.txt',
];
const LAUNCHERS = ['scripts/fund.mjs', 'scripts/commands.json'];

export type ReleaseOptions = {
  /** Target folder. Its previous content is replaced. */
  readonly to: string;
  /** The current release. Its assets stay available for another day. */
  readonly previous?: string | undefined;
  /** Commit that the release is made from, empty if unknown. */
  readonly commit: string;
  /** Includes Node, for machines that lack it or have another version. */
  readonly withNode: boolean;
};

/** Makes a folder from the build that runs on any machine with the same platform, even if the folder is read-only. */
export async function makeRelease({ to, previous, commit, withNode }: ReleaseOptions) {
  const stagingFolder = `${to}.new`;
  await rm(stagingFolder, { recursive: true, force: true });
  await mkdir(path.join(stagingFolder, 'bin'), { recursive: true });
  const scripts = await listScripts(Object.values(commands).map(({ script }) => script));
  for (const name of [...RELEASE_FOLDERS, ...RELEASE_FILES, ...LAUNCHERS, ...scripts])
    await cp(name, path.join(stagingFolder, name), { recursive: true });
  await copyDeployFiles(path.join(stagingFolder, 'deploy'));
  for (const name of ['fund', 'install']) await cp(path.join('deploy', name), path.join(stagingFolder, name));
  if (withNode) await cp(process.execPath, path.join(stagingFolder, 'bin/node'));
  if (previous !== undefined) {
    await copyPreviousAssets(path.join(previous, 'build/web'), path.join(stagingFolder, 'build/web'), new Date());
  }
  await writeFile(path.join(stagingFolder, 'package.json'), await createPackageFile('package.json', commit));
  await copyModules('package-lock.json', stagingFolder);
  await precompile(stagingFolder);
  await replaceFolder(stagingFolder, to);
  return {
    megabytes: { modules: await measureMegabytes(path.join(to, 'node_modules')), all: await measureMegabytes(to) },
  };
}

/** A release's image is built from the release instead of a clone of the repository. */
async function copyDeployFiles(folder: string): Promise<void> {
  await cp('deploy', folder, { recursive: true });
  for (const name of ['Dockerfile', 'Dockerfile.dockerignore'])
    await rename(path.join(folder, name.replace('Dockerfile', 'Dockerfile.release')), path.join(folder, name));
}

/** Fills the compile cache, so that even the first start is fast. Uses the same flags and folder as `fund` and fund.mjs. */
async function precompile(folder: string): Promise<void> {
  const code = `require('node:module').enableCompileCache({ directory: 'build/compiled', portable: true });
    import('./src/server/main.ts').then(() => process.exit());`;
  const flags = ['--max-semi-space-size=4', '--max-old-space-size=512'];
  await promisify(execFile)(process.execPath, [...flags, '-e', code], { cwd: folder });
}

/** Creates a package.json with the commit and without development dependencies. */
async function createPackageFile(file: string, commit: string): Promise<string> {
  const { name, version, description, license, type, imports, dependencies } = JSON.parse(await readFile(file, 'utf8'));
  const content = {
    name,
    version,
    commit,
    description,
    license,
    private: true,
    type,
    engines: { node: '>=24' },
    imports,
    dependencies,
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}
