import { appendFileSync } from 'node:fs';

/** A guard whose removal a test must notice. */
export type Mutant = {
  readonly file: string;
  /** Its text, exactly once in the file. */
  readonly guard: string;
  /** What replaces it. */
  readonly without: string;
  /** The quick tests that catch it, as vitest takes them. */
  readonly tests: readonly string[];
};

export type SentMutant = Mutant & { readonly appliedFile: string };

export function sentMutant(): SentMutant {
  return JSON.parse(process.env.MUTANT ?? '{}') as SentMutant;
}

/** The source without the guard. */
export function mutated(source: string, { guard, without, appliedFile }: SentMutant): string {
  appendFileSync(appliedFile, 'applied');
  return withoutGuard(source, { guard, without });
}

/** @throws Error when the guard is not there exactly once */
export function withoutGuard(source: string, { guard, without }: Pick<Mutant, 'guard' | 'without'>): string {
  const parts = source.split(guard);
  if (parts.length !== 2) throw new Error(`is there ${parts.length - 1} times: ${guard}`);
  return parts.join(without);
}
