import { chmod, chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { ConfigError, SETTINGS_FILE } from '#server/config.ts';
import { formatSettings } from './set-up/questions.ts';

/**
 * Stores a setting in the `.env` file of the current folder, and keeps the file's owner and mode.
 * @throws ConfigError if the settings come from the environment
 */
export async function saveSetting(name: string, value: string): Promise<void> {
  const { mode, uid, gid } = await readSettingsFileOwner(name);
  const content = await readFile(SETTINGS_FILE, 'utf8');
  const otherLines = content.split('\n').filter((line) => line !== '' && !line.startsWith(`${name}=`));
  const newFile = `${SETTINGS_FILE}.new`;
  await writeFile(newFile, `${otherLines.map((line) => `${line}\n`).join('')}${formatSettings({ [name]: value })}`, {
    mode: 0o600,
  });
  await chmod(newFile, mode & 0o777);
  await chown(newFile, uid, gid);
  await rename(newFile, SETTINGS_FILE);
}

/** @throws ConfigError if a setting in the file would have no effect, or if there is no file */
export async function readSettingsFileOwner(name: string): Promise<{ mode: number; uid: number; gid: number }> {
  if (process.env[name]) throw new ConfigError(`${name} is set in the environment, so it can’t be stored in a file.`);
  const file = await stat(SETTINGS_FILE).catch(() => undefined);
  if (file?.isFile()) return file;
  throw new ConfigError(`${name} can’t be stored, because ${process.cwd()} contains no file ${SETTINGS_FILE}.`);
}
