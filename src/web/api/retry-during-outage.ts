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

function isOutage(error: unknown): boolean {
  // A proxy responds with 502 while the program restarts.
  return error instanceof ApiProblem && (error.code === 'database-unavailable' || error.status === 502);
}
