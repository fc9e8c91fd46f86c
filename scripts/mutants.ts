import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { buildMessages } from './build/build.ts';

// npm run mutants -- [--server] [file …]
//
// Mutation tests: StrykerJS makes small changes to the source and reports each change that no test detects. By default it
// mutates all of src/domain and runs test/domain. With --server it mutates the given files, such as
// src/server/features/ledger/ledger.store.ts, and runs the call tests of money and permissions. Each mutant takes seconds, so
// specify only a few files.

const { values, positionals } = parseArgs({ options: { server: { type: 'boolean' } }, allowPositionals: true });
if (values.server && positionals.length === 0) throw new Error('Specify the files of src/server to mutate.');
await buildMessages();
const mutate = positionals.length > 0 ? ['--mutate', positionals.join()] : [];
const env = { ...process.env, MUTANTS: values.server ? 'server' : 'domain' };
const { status } = spawnSync('stryker', ['run', ...mutate], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
