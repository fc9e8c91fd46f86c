import { getFailureSentence } from '#domain/failures.ts';
import { m } from '#messages';
import { ApiProblem, OfflineError } from './api-error.ts';

/**
 * User-facing message for any failure.
 * @param offlineText shown if the network failed
 */
export function failureMessage(error: unknown, offlineText = m.serverUnreachable()): string {
  if (error instanceof OfflineError) return offlineText;
  return error instanceof ApiProblem ? error.message : getFailureSentence('server-error');
}
