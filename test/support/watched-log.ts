import type { Log } from '#server/log.ts';

export type WatchedLog = {
  readonly log: Log;
  /** Logged warnings and errors in order, with their causes. */
  readonly complaints: readonly string[];
};

/** A silent log that records warnings and errors, so that tests can expect none. */
export function watchedLog(): WatchedLog {
  const complaints: string[] = [];
  const complain = (details: object, message: string) => {
    const reason = 'err' in details && details.err instanceof Error ? `: ${details.err.message}` : '';
    complaints.push(message + reason);
  };
  return { complaints, log: { info: () => {}, warn: complain, error: complain } };
}
