import { ApiProblem } from '#web/api/api-error.ts';
import type { MakeCall, Refused } from '#web/api/client.ts';

/** What a call that was refused needs of the session. */
export type Renewal = {
  /** A fresher token of the same person; nothing when the session has ended, or is another person's by now. */
  readonly renew: (stale: string) => Promise<string | undefined>;
  /** The session has ended, although the server did not say so before. */
  readonly lapse: () => void;
};

/**
 * Where the token was too old, for the call or at all, it is renewed and the call made once more (§9); the clock of this
 * device has no say in it. Where the session has ended, what anybody may read is read as a visitor does.
 */
export async function retryCall<T>({ renew, lapse }: Renewal, refused: Refused, make: MakeCall<T>): Promise<T> {
  const { error, token, isRead } = refused;
  if (!isAboutToken(error)) throw error;
  const renewed = await renew(token);
  if (renewed === undefined) return isRead ? make(undefined).catch(() => Promise.reject(error)) : Promise.reject(error);
  return make(renewed).catch((again: unknown) => {
    if (again instanceof ApiProblem && again.code === 'token-invalid') lapse();
    throw again;
  });
}

function isAboutToken({ code }: ApiProblem): boolean {
  return code === 'token-invalid' || code === 'token-stale';
}
