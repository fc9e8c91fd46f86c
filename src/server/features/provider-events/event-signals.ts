import type { EventSignals } from './apply-events.ts';

const LONGEST_WAIT_MS = 5000;

/** Signals between event ingestion, event processing, and back-pressure. */
export type Signals = EventSignals & {
  /** Starts processing newly stored events. */
  wake(): void;
  /** Resolves once few events are pending, or after a few seconds. */
  calm(): Promise<void>;
  stop(): void;
};

export function eventSignals(): Signals {
  let stored = Promise.withResolvers<void>();
  let quiet: PromiseWithResolvers<void> | undefined;
  let isStopping = false;
  const tellBusy = (isBusy: boolean) => {
    if (isBusy && !isStopping) {
      quiet ??= Promise.withResolvers();
    } else {
      quiet?.resolve();
      quiet = undefined;
    }
  };
  const wake = () => {
    stored.resolve();
    stored = Promise.withResolvers();
  };
  return {
    wake,
    woken: () => stored.promise,
    tellBusy,
    calm: () => (quiet ? Promise.race([quiet.promise, longest()]) : Promise.resolve()),
    isStopping: () => isStopping,
    stop: () => {
      isStopping = true;
      tellBusy(false);
      wake();
    },
  };
}

function longest(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, LONGEST_WAIT_MS).unref());
}
