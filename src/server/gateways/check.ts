import type { Check } from '#contract/schemas/operation.ts';

export type { Check };

/** Something to try, such as a setting or the service that it names. It changes nothing lasting. */
export type Checking = {
  /** For the line that says so if `run` does not end. */
  readonly subject: string;
  /** An error that it throws is not shown: it may contain a secret. */
  readonly run: () => Promise<Check | readonly Check[]>;
};

export const ok = (subject: string, text: string): Check => ({ subject, state: 'ok', text });
export const warning = (subject: string, text: string): Check => ({ subject, state: 'warning', text });
export const wrong = (subject: string, text: string): Check => ({ subject, state: 'wrong', text });

const WITHIN_MS = 15_000;

/** Tries all at once; none can hold up the others, or the whole for longer than `withinMs`. */
export async function runChecks(checkings: readonly Checking[], withinMs: number = WITHIN_MS): Promise<Check[]> {
  const all = await Promise.all(checkings.map((checking) => runOne(checking, withinMs)));
  return all.flat();
}

async function runOne({ subject, run }: Checking, withinMs: number): Promise<readonly Check[]> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<Check>((resolve) => {
    const late = wrong(subject, `no answer within ${withinMs / 1000} seconds. Is it reachable from this machine?`);
    timer = setTimeout(() => resolve(late), withinMs);
  });
  const failed = (error: unknown) => wrong(subject, `it could not be tried (${kindOf(error)}).`);
  const found = await Promise.race([Promise.resolve(run()).catch(failed), tooLate]);
  clearTimeout(timer);
  return 'subject' in found ? [found] : found;
}

/** Done one after the other; what fails is said as "a file cannot be read". */
export type FileStep = readonly ['written' | 'read' | 'deleted', () => Promise<unknown>];

/** Tries to write a file, read it and delete it. @param undo if a later step than writing fails; @param advice what to do then */
export async function checkFileSteps(
  subject: string,
  steps: readonly FileStep[],
  { undo, advice }: { readonly undo: () => Promise<unknown>; readonly advice: string },
): Promise<Check> {
  for (const [step, run] of steps) {
    try {
      await run();
    } catch (error) {
      if (step !== 'deleted') await undo().catch(() => undefined);
      const reason = error instanceof Error && 'reason' in error ? String(error.reason) : kindOf(error);
      return wrong(subject, `a file cannot be ${step} (${reason}). ${advice}`);
    }
  }
  return ok(subject, 'a file was written, read and deleted.');
}

/** The name and code of an error, whose message may contain a secret. */
export function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  return codeOf(error.cause) ?? codeOf(error) ?? error.name;
}

/** The number that a DOMException has for a code says nothing to an operator; its name does. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
