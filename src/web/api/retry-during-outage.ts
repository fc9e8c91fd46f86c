import { pause } from '#web/browser/pause.ts';
import { ApiProblem } from './api-error.ts';

const MAX_RETRIES = 6;
/** The server's Retry-After during an outage. */
const RETRY_AFTER_MS = 3000;

/**
 * Retries a call while the server is unavailable. Use it only for calls that are safe to repeat: either the page
 * chooses the id or, for a checkout, the first payment page is never shown.
 * @throws the last call's error after 18 seconds; any error other than an outage immediately
 */
export async function retryDuringOutage<Result>(makeCall: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; retries < MAX_RETRIES; retries += 1) {
    try {
      return await makeCall();
    } catch (error) {
      if (!isOutage(error)) throw error;
      await pause(RETRY_AFTER_MS);
    }
  }
  return makeCall();
}

/** A proxy's responses while the program restarts, while no process is ready, and after waiting for one. */
const PROXY_STATUSES: readonly number[] = [502, 503, 504];

function isOutage(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  const isFromProxy = error.requestId === '' && PROXY_STATUSES.includes(error.status);
  return error.code === 'database-unavailable' || isFromProxy;
}
