import { fileURLToPath } from 'node:url';
import { type BuildStep, buildIfStale } from './build-if-stale.ts';
import { runScript } from './run-script.ts';

const SHARED_INPUTS = ['package-lock.json', 'scripts/build'];

const MESSAGES: BuildStep = {
  name: 'messages',
  inputs: [...SHARED_INPUTS, 'messages'],
  outputs: ['build/messages/messages.js', 'build/messages/messages.d.ts'],
  build: () => runScript('scripts/build/messages.ts'),
};

const CITIES: BuildStep = {
  name: 'cities',
  // The server folds names and parses the file with the same code.
  inputs: [...SHARED_INPUTS, ...['fold-name', 'city-file'].map((part) => `src/server/gateways/places/${part}.ts`)],
  outputs: ['build/cities.tsv.gz'],
  build: () => runScript('scripts/build/cities.ts'),
};

const WEB: BuildStep = {
  name: 'web',
  inputs: [
    ...SHARED_INPUTS,
    'messages',
    'src/web',
    'src/worker',
    'src/domain',
    'src/contract',
    'vite.config.ts',
    'package.json',
  ],
  outputs: ['build/web/index.html', 'build/renderer/entry-server.js'],
  build: async () => (await import('./web.ts')).buildWeb(),
};

/** Builds the messages, which type checks and all tests require. */
export async function buildMessages(): Promise<void> {
  await buildIfStale(MESSAGES);
}

/** Builds everything except the web client, which Vite's dev server compiles. */
export async function buildForDevelopment(): Promise<void> {
  for (const step of [MESSAGES, CITIES]) await buildIfStale(step);
}

/** Runs every build step whose output is missing or out of date. */
export async function buildAll(): Promise<void> {
  await buildMessages();
  await Promise.all([CITIES, WEB].map(buildIfStale));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildAll();
