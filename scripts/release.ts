import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildAll } from './build/build.ts';
import { readCurrentCommit } from './release/current-commit.ts';
import { makeArchive } from './release/make-archive.ts';
import { makeImageRoot } from './release/make-image-root.ts';
import { makeRelease } from './release/make-release.ts';
import { printFailure } from './usage.ts';

// npm run release: makes a folder that runs anywhere without installing or building anything (docs/running.md), and next to it an
// archive with a checksum. --to is the folder, --previous is the current release, and --commit is the commit if there is no Git.
// --image FOLDER builds the root folder of a container image instead of the archive.
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
  const { to, previous, commit = await readCurrentCommit() } = values;
  const { megabytes } = await makeRelease({ to, previous, commit, withNode: !values['without-node'] });
  const sizes = `modules ${megabytes.modules} MB, all ${megabytes.all} MB`;
  if (values.image !== undefined) {
    await makeImageRoot(to, values.image);
    console.log(`Made the release ${to} and the image ${values.image}: ${sizes}.`);
  } else {
    const archive = await makeArchive(to, path.dirname(to));
    console.log(`Made the release ${to}: ${sizes}.\nPacked the release into ${archive}.`);
  }
} catch (error) {
  printFailure(error);
}
