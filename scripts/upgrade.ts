import { access, constants, realpath } from 'node:fs/promises';
import path from 'node:path';
import { ConfigError, readConfig } from '#server/config.ts';
import { copyPreviousAssets } from './release/previous-assets.ts';
import { getServerUrl } from './server-url.ts';
import { PROGRAM_FOLDER } from './set-up/next-steps.ts';
import {
  findCurrentRelease,
  findPreviousRelease,
  type Installation,
  runCommand,
  setPreviousRelease,
  startRelease,
} from './upgrade/switch-release.ts';
import { unpackRelease } from './upgrade/unpack-release.ts';
import { getUsage, parseCommand, printFailure } from './usage.ts';

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
    settle: { type: 'string', default: '5' },
  },
});
try {
  if (values.back === (release !== undefined) || extraArguments.length > 0) throw new ConfigError(getUsage('upgrade'));
  const config = readConfig();
  const link = path.resolve(values.program);
  const installation = {
    link,
    address: getServerUrl(config),
    timeoutMs: 1000 * Number(values.wait),
    settleMs: 1000 * Number(values.settle),
  };
  await access(path.dirname(link), constants.W_OK).catch(() => {
    throw new Error(`${path.dirname(link)} isn't writable. Run this with sudo.`);
  });
  if (release === undefined) await restorePreviousRelease(installation);
  else await upgrade(installation, release, config.backup !== undefined);
} catch (error) {
  printFailure(error);
}

async function upgrade(installation: Installation, archive: string, hasBackups: boolean): Promise<void> {
  const currentRelease = await findCurrentRelease(installation);
  const nextRelease = await realpath(await unpackRelease(archive, path.dirname(installation.link)));
  if (nextRelease === currentRelease) throw new Error(`${nextRelease} is already running.`);
  if (hasBackups) await runCommand(currentRelease, 'backup');
  else console.log('Skipping the backup because BACKUP_TO is not set.');
  // Lets pages that are already open load the rest of their files.
  await copyPreviousAssets(path.join(currentRelease, 'build/web'), path.join(nextRelease, 'build/web'), new Date());
  // The current version keeps running on the migrated schema.
  await runCommand(nextRelease, 'migrate');
  // Precedes the switch, so that --back after an interruption never starts a release two back.
  await setPreviousRelease(installation, currentRelease);
  await startRelease(installation, nextRelease);
  console.log(`${nextRelease} is running. To go back: fund upgrade --back`);
}

/** A release's migrations are compatible only with the release before it, so going back is possible once. */
async function restorePreviousRelease(installation: Installation): Promise<void> {
  const previousRelease = await findPreviousRelease(installation);
  if (previousRelease === undefined)
    throw new Error(
      'There is no release to go back to: only the release before the last upgrade can be started again.',
    );
  await startRelease(installation, previousRelease);
  await setPreviousRelease(installation, undefined);
  console.log(`${previousRelease} is running again, with all data.`);
}
