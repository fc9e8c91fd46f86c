import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { buildAll } from './build/build.ts';
import { makeImageRoot } from './release/make-image-root.ts';
import { makeRelease } from './release/make-release.ts';
import { printFailure } from './usage.ts';

// npm run release: makes a folder that runs anywhere (docs/operations.md) without installing or building anything there.
// --to names the folder, --previous is the current release, --commit is the commit if there is no Git, and --image is the folder
// for the root of a container image.
try {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: 'build/release' },
      previous: { type: 'string' },
      image: { type: 'string' },
      commit: { type: 'string' },
      'without-node': { type: 'boolean', default: false },
    },
  });
  await buildAll();
  const { to, previous, commit = await currentCommit() } = values;
  const { megabytes } = await makeRelease({ to, previous, commit, withNode: !values['without-node'] });
  if (values.image !== undefined) await makeImageRoot(to, values.image);
  console.log(`Made the release ${to}: modules ${megabytes.modules} MB, all ${megabytes.all} MB.`);
} catch (error) {
  printFailure(error);
}

/** @returns an empty text outside a clone of the repository */
async function currentCommit(): Promise<string> {
  const result = await promisify(execFile)('git', ['describe', '--always', '--dirty', '--abbrev=12']).catch(
    () => undefined,
  );
  return result?.stdout.trim() ?? '';
}
