import type { Random } from '../seeded-random.ts';

/** The process has crashed, and all of its work has stopped. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/** A simulated fault that the server must survive. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: string;

  constructor(code: string) {
    super(`simulated: ${code}`);
    this.code = code;
  }
}

/**
 * Outcome of an action outside the process. "before" and "after" mean that the process crashed, or the response was lost,
 * before or after the action was performed.
 */
export type FaultOutcome = 'done' | 'crash-before' | 'crash-after' | 'lost-before' | 'lost-after';

export type Faults = {
  /** No faults occur. */
  isCalm: boolean;
  /** The payment provider doesn't respond. */
  isProviderDown: boolean;
  /** The process has crashed and hasn't been restarted. */
  hasCrashed: boolean;
  /** Probability of each kind of fault, from 0 to 1. */
  readonly rates: { readonly commit: number; readonly provider: number; readonly mail: number; readonly crash: number };
};

/** Most seeds have few faults, because some code paths are reached only without faults. Some seeds have many. */
export function createFaults(random: Random): Faults {
  const scale = random.pick([0, 0.3, 1, 1, 3]);
  return {
    isCalm: false,
    isProviderDown: false,
    hasCrashed: false,
    rates: { commit: 0.02 * scale, provider: 0.05 * scale, mail: 0.15 * scale, crash: 0.3 },
  };
}

export function pickFaultOutcome(faults: Faults, random: Random, kind: 'commit' | 'provider' | 'mail'): FaultOutcome {
  if (faults.isCalm || !random.chance(faults.rates[kind])) return 'done';
  const isCrash = random.chance(faults.rates.crash);
  const isBefore = random.chance(0.5);
  if (isCrash) return isBefore ? 'crash-before' : 'crash-after';
  return isBefore ? 'lost-before' : 'lost-after';
}

/** Performs `work` unless the outcome prevents it. @throws Crash, Fault */
export async function applyFaultOutcome<T>(
  outcome: FaultOutcome,
  faults: Faults,
  code: string,
  work: () => Promise<T>,
): Promise<T> {
  if (faults.hasCrashed) throw new Crash();
  if (outcome === 'crash-before') faults.hasCrashed = true;
  const result = outcome.endsWith('before') ? undefined : await work();
  if (outcome === 'crash-after') faults.hasCrashed = true;
  if (faults.hasCrashed) throw new Crash();
  if (outcome !== 'done') throw new Fault(code);
  return result as T;
}
