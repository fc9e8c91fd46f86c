import type { BankCheck } from '#contract/schemas/bank.ts';

/** Sum in dollars. */
export function sumChecks(checks: readonly BankCheck[]): number {
  return checks.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
}
