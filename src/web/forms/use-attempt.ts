import { useRef, useState } from 'react';
import type { FailureCode } from '#domain/failures.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { type FormError, toFormError } from './form-errors.ts';

/** An action that may fail; `onProgress` takes the fraction of an upload or download, from 0 to 1. */
export type Action<Result> = (onProgress: (fraction: number) => void) => Promise<Result>;

type AttemptError<Field extends string> = FormError<Field> & { readonly rejectionCode?: FailureCode | undefined };

/**
 * Runs an action that may fail, one at a time, and stores its error.
 * @param fields names of the fields that can be invalid, as in the API; a photo is `file` (§7)
 */
export function useAttempt<Field extends string = never>(fields: readonly Field[] = []) {
  const [error, setError] = useState<AttemptError<Field>>();
  const [progress, setProgress] = useState<number>();
  // A second click can arrive before React has rendered the busy button.
  const isRunning = useRef(false);
  return {
    busy: progress !== undefined,
    /** Fraction completed, from 0 to 1; undefined unless the action is running. */
    progress,
    error,
    setError,
    /** User-facing message for an error that isn't about a single field. */
    problem: error && error.field === undefined ? error.message : undefined,
    /** Failure code if the server rejected the input and would reject the same input again. */
    rejectionCode: error?.rejectionCode,
    isRejected: error?.rejectionCode !== undefined,
    /** @returns the result; undefined if the action failed, or if another one is still running */
    run: async <Result>(action: Action<Result>): Promise<{ readonly result: Result } | undefined> => {
      if (isRunning.current) return undefined;
      isRunning.current = true;
      setProgress(0);
      setError(undefined);
      try {
        return { result: await action(setProgress) };
      } catch (failure) {
        const formError = toFormError(failure, fields) ?? { field: undefined, message: failureMessage(failure) };
        setError({ ...formError, rejectionCode: findRejectionCode(failure) });
        return undefined;
      } finally {
        isRunning.current = false;
        setProgress(undefined);
      }
    },
    /** Clears the error, unless it is about a field that has not changed. */
    clear: (changedFields: readonly string[] = []) =>
      setError((previous) =>
        previous?.field !== undefined && !changedFields.includes(previous.field) ? previous : undefined,
      ),
  };
}

const TOO_MANY_REQUESTS = 429;

function findRejectionCode(failure: unknown): FailureCode | undefined {
  if (!(failure instanceof ApiProblem)) return undefined;
  const { status, code } = failure;
  return status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS ? code : undefined;
}
