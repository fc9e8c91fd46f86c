import type { EventSignals } from './apply-events.ts';

const MAX_WAIT_MS = 5000;

/** Signals between event ingestion, event processing, and back-pressure. */
export type Signals = EventSignals & {
  /** Starts processing newly stored events. */
  wake(): void;
  /** Resolves once few events are pending, or after a few seconds. */
  whenNotBusy(): Promise<void>;
  stop(): void;
};

export function eventSignals(): Signals {
  let wakeUp = Promise.withResolvers<void>();
  let endOfBusy: PromiseWithResolvers<void> | undefined;
  let isStopping = false;
  const setBusy = (isBusy: boolean) => {
    if (isBusy && !isStopping) {
      endOfBusy ??= Promise.withResolvers();
    } else {
      endOfBusy?.resolve();
      endOfBusy = undefined;
    }
  };
  const wake = () => {
    wakeUp.resolve();
    wakeUp = Promise.withResolvers();
  };
  return {
    wake,
    newEvents: () => wakeUp.promise,
    setBusy,
    whenNotBusy: () => (endOfBusy ? Promise.race([endOfBusy.promise, timeout()]) : Promise.resolve()),
    isStopping: () => isStopping,
    stop: () => {
      isStopping = true;
      setBusy(false);
      wake();
    },
  };
}

function timeout(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, MAX_WAIT_MS).unref());
}
