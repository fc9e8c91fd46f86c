import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { buildMessages } from './build/build.ts';

// npm run mutants -- [--server] [file …]
//
// Changes the source in small ways with StrykerJS and reports each change that no test notices. By default it changes all of
// src/domain and runs test/domain. With --server it runs the call tests of money and permissions against the files named,
// such as src/server/features/ledger/ledger.store.ts; every mutant takes seconds, so name a few files.

const { values, positionals } = parseArgs({ options: { server: { type: 'boolean' } }, allowPositionals: true });
if (values.server && positionals.length === 0) throw new Error('Name the files of src/server to change.');
await buildMessages();
const mutate = positionals.length > 0 ? ['--mutate', positionals.join()] : [];
const env = { ...process.env, MUTANTS: values.server ? 'server' : 'domain' };
const { status } = spawnSync('stryker', ['run', ...mutate], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
