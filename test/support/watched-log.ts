import type { Log } from '#server/db/log.ts';

export type WatchedLog = {
  readonly log: Log;
  /** What was logged as a warning or an error, with its reason, as it came. */
  readonly complaints: readonly string[];
};

/** A log that is silent and remembers the complaints, so that a test can expect that there were none. */
export function watchedLog(): WatchedLog {
  const complaints: string[] = [];
  const complain = (details: object, message: string) => {
    const reason = 'err' in details && details.err instanceof Error ? `: ${details.err.message}` : '';
    complaints.push(message + reason);
  };
  return { complaints, log: { info: () => {}, warn: complain, error: complain } };
}
