import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { text } from 'node:stream/consumers';
import type { TestResult } from './reports.ts';

export type Check = readonly [name: string, command: string, ...args: string[]];

export const TYPES: Check = ['types', 'tsc', '-b', '--singleThreaded'];
export const FORMAT: Check = ['format and lint', 'biome', 'ci', '.'];
export const LINT: Check = ['lint', 'oxlint', '--deny-warnings'];
export const LINT_WITH_TYPES: Check = ['lint with types', 'oxlint', '--type-aware', '--deny-warnings'];
export const UNUSED: Check = ['unused files and dependencies', 'knip'];

/**
 * Environment for checkers written in Go. Several threads would repeat work, which can double the CPU time. Garbage is
 * collected only above a quarter of the machine's memory, which saves a fifth of the CPU time.
 */
const GO_SETTINGS = { GOMAXPROCS: '1', GOGC: 'off', GOMEMLIMIT: `${Math.floor(totalmem() / 4)}B` };

/** Runs checks one after another and prints the output of each when it ends. */
export async function runChecks(checks: readonly Check[]): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const check of checks) results.push(await runCheck(check));
  return results;
}

async function runCheck([name, command, ...args]: Check): Promise<TestResult> {
  const start = performance.now();
  const env = { ...GO_SETTINGS, ...process.env };
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32', env });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  const seconds = (performance.now() - start) / 1000;
  console.log(`\n— ${name} (${seconds.toFixed(0)} s)\n${output}${errors}`.trimEnd());
  return { file: '', name, status: status === 0 ? 'passed' : 'failed', seconds, message: 'see above' };
}
