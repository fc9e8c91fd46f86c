import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export type Check = readonly [name: string, command: string, ...args: string[]];

/** What needs no built program. */
export const STATIC_CHECKS: readonly Check[] = [
  ['types', 'tsc', '-b'],
  ['format and lint', 'biome', 'ci', '.'],
  ['lint with types', 'oxlint', '--type-aware', '--deny-warnings'],
  ['unused files and dependencies', 'knip'],
];

export const VITEST: Check = ['rules and calls', 'vitest', 'run'];

/** The checkers written in Go spend half of their time on collecting garbage unless they may use more memory. */
const SETTINGS = { GOGC: '400', GOMEMLIMIT: '2GiB' };

/** Runs checks one after another and prints the output of each when it ends. */
export async function runChecks(
  checks: readonly Check[],
): Promise<{ passed: number; failed: number; failures: string[] }> {
  const failures: string[] = [];
  for (const check of checks) if (!(await passes(check))) failures.push(check[0]);
  return { passed: checks.length - failures.length, failed: failures.length, failures };
}

async function passes([name, command, ...args]: Check): Promise<boolean> {
  const env = { ...SETTINGS, ...process.env };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32', env });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  console.log(`\n— ${name}\n${output}${errors}`.trimEnd());
  return status === 0;
}
