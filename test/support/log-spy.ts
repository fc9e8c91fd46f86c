import type { Log } from '#server/log.ts';

export type LogSpy = {
  readonly log: Log;
  /** Logged warnings and errors in order, with their causes. */
  readonly loggedProblems: readonly string[];
};

/** A silent log that records warnings and errors, so that tests can expect none. */
export function createLogSpy(): LogSpy {
  const loggedProblems: string[] = [];
  const logProblem = (details: object, message: string) => {
    const reason = 'err' in details && details.err instanceof Error ? `: ${details.err.message}` : '';
    loggedProblems.push(message + reason);
  };
  return { loggedProblems, log: { info: () => {}, warn: logProblem, error: logProblem } };
}
