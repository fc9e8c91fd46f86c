// Plain JavaScript, as the Node that runs it may be too old for anything else. Runs one command of a built program, in
// this process and in the folder that it is called from: `node scripts/fund.mjs start`.
import { existsSync, readFileSync } from 'node:fs';
import * as modules from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** It runs TypeScript as it is. */
const OLDEST_NODE = 24;
/** As src/server/config.ts: starting again does not help. */
const WRONG_SETTINGS = 78;
const NEED_NO_SETTINGS = ['set-up', 'healthy'];

const root = fileURLToPath(new URL('..', import.meta.url));
const commands = JSON.parse(readFileSync(new URL('commands.json', import.meta.url), 'utf8'));
const [name = '', ...args] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  end(
    `Node ${OLDEST_NODE} or newer is needed; this is ${process.versions.node}. A release brings its own: ${root}fund`,
  );
}
const HELP = ['--help', '-h', 'help'];
if (!Object.hasOwn(commands, name)) {
  const lines = rows(Object.entries(commands).map(([each, { text }]) => [each, text]));
  if (HELP.includes(name)) help(lines);
  end([name === '' ? 'Say what to do:' : `There is no command "${name}".`, lines].join('\n'));
}
// The set-up has options of its own to explain.
if (HELP.includes(args[0]) && name !== 'set-up') {
  help(rows(Object.entries(commands[name].usage ?? { [name]: commands[name].text })));
}
if (name === 'start' && args.length > 0) end('fund start takes no options: its settings are in the file .env.');
for (const file of ['build/messages/messages.js', 'build/web/index.html', 'build/cities.tsv.gz']) {
  if (existsSync(path.join(root, file))) continue;
  end(
    `This program is not built: ${path.join(root, file)} is missing. Run "npm run build" in ${root}, or use a release.`,
  );
}
// From the wrong folder, a release would make an empty database there and serve a site without a fund, restore a backup where
// nobody looks for it, or find nothing wrong.
const settings = name === 'start' ? ['NODE_ENV'] : ['NODE_ENV', 'DATABASE_URL', 'DATABASE', 'DATA_DIR'];
const needsSettings = existsSync(path.join(root, 'fund')) && !NEED_NO_SETTINGS.includes(name);
if (needsSettings && !existsSync('.env') && !settings.some((each) => process.env[each])) {
  end(
    `There are no settings: no file .env is in ${process.cwd()}, and NODE_ENV is not set. Go to the folder that has one, or make one: ${root}install`,
  );
}
// A start takes half as long with what the one before compiled; a release has it, and is often a folder that cannot be written.
modules.enableCompileCache?.({ directory: path.join(root, 'build/compiled'), portable: true });
const script = path.join(root, commands[name].script);
process.argv.splice(1, process.argv.length, script, ...args);
await import(pathToFileURL(script).href);

/** @param {string[][]} commands each with what it does */
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
  process.exit(WRONG_SETTINGS);
}
