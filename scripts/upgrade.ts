import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError, readConfig } from '#server/config.ts';
import { copyPreviousAssets } from './release/previous-assets.ts';
import { serverUrl } from './server-url.ts';
import { PROGRAM_FOLDER } from './set-up/next-steps.ts';
import {
  currentRelease,
  type Installation,
  previousRelease,
  runCommand,
  setPreviousRelease,
  startRelease,
} from './upgrade/switch-release.ts';
import { unpackRelease } from './upgrade/unpack-release.ts';
import { parseCommand, printFailure, usageOf } from './usage.ts';

// fund upgrade: replaces the running release with another one; --back starts the previous release with the same data.
const {
  values,
  positionals: [release, ...extraArguments],
} = parseCommand('upgrade', {
  allowPositionals: true,
  options: {
    back: { type: 'boolean', default: false },
    program: { type: 'string', default: PROGRAM_FOLDER },
    wait: { type: 'string', default: '120' },
  },
});
try {
  if (values.back === (release !== undefined) || extraArguments.length > 0) throw new ConfigError(usageOf('upgrade'));
  const config = readConfig();
  const link = path.resolve(values.program);
  const installation = { link, address: serverUrl(config), waitMs: 1000 * Number(values.wait) };
  if (release === undefined) await goBack(installation);
  else await upgrade(installation, release, config.backup !== undefined);
} catch (error) {
  printFailure(error);
}

async function upgrade(installation: Installation, archive: string, hasBackups: boolean): Promise<void> {
  const current = await currentRelease(installation);
  const next = await realpath(await unpackRelease(archive, path.dirname(installation.link)));
  if (next === current) throw new Error(`${next} is already running.`);
  if (hasBackups) await runCommand(current, 'backup');
  else console.log('Skipping the backup because BACKUP_TO is not set.');
  // Lets open pages load the rest of their files.
  await copyPreviousAssets(path.join(current, 'build/web'), path.join(next, 'build/web'), new Date());
  // The current version keeps running on the migrated schema.
  await runCommand(next, 'migrate');
  await startRelease(installation, next);
  await setPreviousRelease(installation, current);
  console.log(`${next} is running. To go back: fund upgrade --back`);
}

/** A release's migrations are compatible only with the release before it, so going back is possible once. */
async function goBack(installation: Installation): Promise<void> {
  const previous = await previousRelease(installation);
  if (previous === undefined)
    throw new Error(
      'There is no release to go back to: only the release before the last upgrade can be started again.',
    );
  await startRelease(installation, previous);
  await setPreviousRelease(installation, undefined);
  console.log(`${previous} is running again, with all data.`);
}
