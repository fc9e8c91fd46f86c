// Runs one command of a built program in this process and in the current folder: `node scripts/fund.mjs start`.
// Plain JavaScript, since the installed Node may be too old for TypeScript.
import { existsSync, readFileSync, statSync } from 'node:fs';
import * as modules from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The first version that runs TypeScript directly. */
const MIN_NODE_VERSION = 24;
/** The same exit status as in src/server/config.ts: restarting won't help. */
const INVALID_SETTINGS_STATUS = 78;
const COMMANDS_WITHOUT_SETTINGS = ['set-up', 'healthy'];
const COMMANDS_FOR_ROOT = ['set-up', 'upgrade'];

const root = fileURLToPath(new URL('..', import.meta.url));
const commands = JSON.parse(readFileSync(new URL('commands.json', import.meta.url), 'utf8'));
const [name = '', ...args] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < MIN_NODE_VERSION) {
  end(
    `Node ${MIN_NODE_VERSION} or newer is required; this is ${process.versions.node}. A release includes its own: ${root}fund`,
  );
}
const HELP = ['--help', '-h', 'help'];
if (!Object.hasOwn(commands, name)) {
  const lines = rows(Object.entries(commands).map(([command, { text }]) => [command, text]));
  if (HELP.includes(name)) help(lines);
  end([name === '' ? 'Commands:' : `There is no command "${name}".`, lines].join('\n'));
}
// set-up explains its own options.
if (HELP.includes(args[0]) && name !== 'set-up') {
  help(rows(Object.entries(commands[name].usage ?? { [name]: commands[name].text })));
}
if (name === 'start' && args.length > 0) end('fund start takes no options. Its settings are in the file .env.');
for (const file of ['build/messages/messages.js', 'build/web/index.html', 'build/cities.tsv.gz']) {
  if (existsSync(path.join(root, file))) continue;
  end(
    `This program is not built: ${path.join(root, file)} is missing. Run "npm run build" in ${root}, or use a release.`,
  );
}
// In the wrong folder, a release would create an empty database and serve a site without a fund, restore a backup to the
// wrong place, or report no problems.
const settings = name === 'start' ? ['NODE_ENV'] : ['NODE_ENV', 'DATABASE_URL', 'DATA_DIR'];
const needsSettings = existsSync(path.join(root, 'fund')) && !COMMANDS_WITHOUT_SETTINGS.includes(name);
if (needsSettings && !existsSync('.env') && !settings.some((setting) => process.env[setting])) {
  end(
    `There are no settings: ${process.cwd()} contains no file .env, and NODE_ENV is not set. Go to the folder that contains the file, or create it: ${root}install`,
  );
}
// For root, commands run as the owner of the settings, so that the server can use the files they create. Only `upgrade`
// and `set-up` need root.
if (process.getuid?.() === 0 && !COMMANDS_FOR_ROOT.includes(name)) {
  const settingsOwner = statSync('.env', { throwIfNoEntry: false });
  if (settingsOwner && settingsOwner.uid !== 0) becomeOwner(settingsOwner);
}
// Reusing code compiled by the previous start halves startup time. A release includes it, since its folder is often
// read-only.
modules.enableCompileCache?.({ directory: path.join(root, 'build/compiled'), portable: true });
const script = path.join(root, commands[name].script);
process.argv.splice(1, process.argv.length, script, ...args);
await import(pathToFileURL(script).href);

/**
 * Runs the rest of this process as the owner of a file, with the owner's groups and environment.
 * @param {{ uid: number, gid: number }} file
 */
function becomeOwner(file) {
  const user = findUser(file.uid);
  const gid = user?.gid ?? file.gid;
  if (gid === 0) {
    end(
      `The command can't run as ${user?.username ?? file.uid}, the owner of ${path.resolve('.env')}, because that user's group is root. Give the file to a user with its own group: chown fund: .env`,
    );
  }
  if (user) process.initgroups(user.username, gid);
  else process.setgroups([gid]);
  process.setgid(gid);
  process.setuid(file.uid);
  // PostgreSQL's default role is USER, and its password file is in HOME.
  const { username, homedir } = user ?? { username: String(file.uid), homedir: '/' };
  Object.assign(process.env, { USER: username, LOGNAME: username, HOME: homedir });
}

/**
 * Finds a user's name, group, and home folder.
 * @param {number} uid
 * @returns undefined if the user has only a number
 */
function findUser(uid) {
  // Node only describes the effective user.
  process.seteuid(uid);
  try {
    return os.userInfo();
  } catch {
    return undefined;
  } finally {
    process.seteuid(0);
  }
}

/** @param {string[][]} commands pairs of a command and its description */
function rows(commands) {
  const width = Math.max(...commands.map(([command]) => command.length));
  return commands.map(([command, text]) => `  fund ${command.padEnd(width)}  ${text}`).join('\n');
}

/** @param {string} lines */
function help(lines) {
  console.log(lines);
  process.exit(0);
}

/** @param {string} message */
function end(message) {
  console.error(message);
  process.exit(INVALID_SETTINGS_STATUS);
}
