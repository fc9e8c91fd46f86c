import type { Log } from '#server/log.ts';
import { isUnreachable } from './unavailable.ts';

type Outage = { readonly since: number; readonly giveUpTimer: NodeJS.Timeout };

/**
 * Tracks whether the database is unreachable, and logs each outage once.
 * @param giveUp called when an outage has lasted for `giveUpMs`
 */
export function createOutages(log: Log, giveUpMs: number, giveUp: () => void) {
  let outage: Outage | undefined;
  const subscribers: ((isDown: boolean) => void)[] = [];
  const notifySubscribers = (isDown: boolean) => {
    for (const subscriber of subscribers) subscriber(isDown);
  };
  return {
    isDown: () => outage !== undefined,
    subscribe: (onChange: (isDown: boolean) => void) => void subscribers.push(onChange),
    /** Begins an outage if the error means that the database is unreachable. */
    begin: (err: unknown) => {
      if (outage || !isUnreachable(err)) return;
      outage = { since: performance.now(), giveUpTimer: setTimeout(giveUp, giveUpMs).unref() };
      log.error(
        { reason: describeConnectionError(err) },
        'the database is unreachable: requests that need it are rejected until it is back',
      );
      notifySubscribers(true);
    },
    /** Ends the outage, if any, after a lost connection was replaced. */
    end: () => {
      if (!outage) {
        log.warn({}, 'the database connection that listens for notifications was lost');
        return;
      }
      clearTimeout(outage.giveUpTimer);
      const seconds = Math.round(performance.now() - outage.since) / 1000;
      outage = undefined;
      log.warn({ seconds }, 'the database responds again');
      notifySubscribers(false);
    },
    close: () => clearTimeout(outage?.giveUpTimer),
  };
}

/** The driver's message without the connection string, which contains a password. */
export function describeConnectionError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeConnectionError).join('; ');
  return error instanceof Error ? error.message : String(error);
}
