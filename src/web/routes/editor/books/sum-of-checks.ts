import type { BankCheck } from '#contract/schemas/bank.ts';

/** Dollars. */
export function sumOfChecks(checks: readonly BankCheck[]): number {
  return checks.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
}
