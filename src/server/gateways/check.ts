import type { SettingCheck } from '#contract/schemas/operation.ts';
import { withTimeout } from '#server/process/with-timeout.ts';

export type { SettingCheck };

/** A check of a setting, or of the service it refers to. A check makes no lasting changes. */
export type CheckDefinition = {
  /** Title of the result if `run` times out. */
  readonly subject: string;
  /** Messages of errors thrown by `run` are never displayed, because they may contain a secret. */
  readonly run: () => Promise<SettingCheck | readonly SettingCheck[]>;
};

export const ok = (subject: string, text: string): SettingCheck => ({ subject, state: 'ok', text });
export const warning = (subject: string, text: string): SettingCheck => ({ subject, state: 'warning', text });
export const failing = (subject: string, text: string): SettingCheck => ({ subject, state: 'error', text });

const DEFAULT_TIMEOUT_MS = 15_000;

/** Runs all checks in parallel. Each one times out separately. */
export async function runChecks(
  definitions: readonly CheckDefinition[],
  timeoutMs: number = DEFAULT_TIMEOUT_MS,
): Promise<SettingCheck[]> {
  const checkLists = await Promise.all(definitions.map((definition) => runCheck(definition, timeoutMs)));
  return checkLists.flat();
}

async function runCheck({ subject, run }: CheckDefinition, timeoutMs: number): Promise<readonly SettingCheck[]> {
  const failingCheck = (error: unknown) => failing(subject, `the check failed (${errorLabel(error)}).`);
  const timeoutCheck = () =>
    failing(subject, `no response within ${timeoutMs / 1000} seconds. Is it reachable from this machine?`);
  const result = await withTimeout(Promise.resolve(run()).catch(failingCheck), timeoutMs, timeoutCheck);
  return 'subject' in result ? [result] : result;
}

/** One step of a file check. The participle completes the message "a file cannot be …". */
export type FileStep = readonly ['written' | 'read' | 'deleted', () => Promise<unknown>];

/**
 * Writes, reads, and deletes a file, one step after another.
 * @param undo deletes the file if an earlier step fails
 * @param advice instructions for the operator if a step fails
 */
export async function checkFileSteps(
  subject: string,
  steps: readonly FileStep[],
  { undo, advice }: { readonly undo: () => Promise<unknown>; readonly advice: string },
): Promise<SettingCheck> {
  for (const [step, run] of steps) {
    try {
      await run();
    } catch (error) {
      if (step !== 'deleted') await undo().catch(() => undefined);
      const reason = error instanceof Error && 'reason' in error ? String(error.reason) : errorLabel(error);
      return failing(subject, `a file cannot be ${step} (${reason}). ${advice}`);
    }
  }
  return ok(subject, 'a file was written, read, and deleted.');
}

/** The code or name of an error, without its message, which may contain a secret. */
export function errorLabel(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  return getErrorCode(error.cause) ?? getErrorCode(error) ?? error.name;
}

/** Ignores the numeric code of a DOMException, because its name is clearer for operators. */
function getErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
