import { parseArgs } from 'node:util';
import { buildAll } from './build/build.ts';
import { makeImageRoot } from './release/make-image-root.ts';
import { makeRelease } from './release/make-release.ts';
import { printFailure } from './usage.ts';

// npm run release: makes a folder that runs anywhere (docs/operations.md) without installing or building anything there.
// --to names the folder, --previous is the current release, and --image is the folder for the root of a container image.
try {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: 'build/release' },
      previous: { type: 'string' },
      image: { type: 'string' },
      'without-node': { type: 'boolean', default: false },
    },
  });
  await buildAll();
  const { to, previous } = values;
  const { megabytes } = await makeRelease({ to, previous, withNode: !values['without-node'] });
  if (values.image !== undefined) await makeImageRoot(to, values.image);
  console.log(`Made the release ${to}: modules ${megabytes.modules} MB, all ${megabytes.all} MB.`);
} catch (error) {
  printFailure(error);
}
