import type { Random } from '../sample/seeded-random.ts';

/** The process ended: all of its work has stopped. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/** A fault of the simulation that the program survives. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: string;

  constructor(code: string) {
    super(`simulated: ${code}`);
    this.code = code;
  }
}

/**
 * What becomes of something that leaves the process. before and after say whether it was done when the process ended, or
 * when its answer was lost.
 */
export type Fate = 'done' | 'crash-before' | 'crash-after' | 'lost-before' | 'lost-after';

export type Faults = {
  /** Nothing fails. */
  isCalm: boolean;
  /** The payment provider answers nothing. */
  isOut: boolean;
  /** The process has ended, and was not started again. */
  isDead: boolean;
  /** How often each kind of thing fails, from 0 to 1. */
  readonly rates: { readonly commit: number; readonly provider: number; readonly mail: number; readonly crash: number };
};

/** Most seeds are quiet and some are wild, since much goes right only between faults. */
export function newFaults(random: Random): Faults {
  const scale = random.pick([0, 0.3, 1, 1, 3]);
  return {
    ...{ isCalm: false, isOut: false, isDead: false },
    rates: { commit: 0.02 * scale, provider: 0.05 * scale, mail: 0.15 * scale, crash: 0.3 },
  };
}

export function fateOf(faults: Faults, random: Random, kind: 'commit' | 'provider' | 'mail'): Fate {
  if (faults.isCalm || !random.chance(faults.rates[kind])) return 'done';
  const crashes = random.chance(faults.rates.crash);
  const before = random.chance(0.5);
  if (crashes) return before ? 'crash-before' : 'crash-after';
  return before ? 'lost-before' : 'lost-after';
}

/** Does it, or not, at random. @throws Crash, Fault */
export async function meet<T>(fate: Fate, faults: Faults, code: string, work: () => Promise<T>): Promise<T> {
  if (faults.isDead) throw new Crash();
  if (fate === 'crash-before') faults.isDead = true;
  const result = fate.endsWith('before') ? undefined : await work();
  if (fate === 'crash-after') faults.isDead = true;
  if (faults.isDead) throw new Crash();
  if (fate !== 'done') throw new Fault(code);
  return result as T;
}
