import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

/**
 * npm run fuzz -- --seed 7 --requests 100000: sends requests that match or violate each call's schema to the whole server on
 * PostgreSQL. `--only createCheckout` tests one call. The same seed repeats the same requests, except for ids.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '100000' },
    only: { type: 'string' },
  },
});
const { seed, requests, only } = values;
const project = ['--project', 'calls', '--disable-console-intercept'];
const settings = {
  TEST_ALL: '1',
  FUZZ_SEED: seed,
  FUZZ_REQUESTS: requests,
  ...(only === undefined ? {} : { FUZZ_ONLY: only }),
};
const child = spawn('vitest', ['run', 'test/server/fuzz/fuzz.full.test.ts', ...project], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
  env: { ...process.env, ...settings },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
const [status]: unknown[] = await once(child, 'exit');
process.exitCode = status === 0 ? 0 : 1;
