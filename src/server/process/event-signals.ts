const MAX_WAIT_MS = 5000;

/** Signals for event processing. */
export type ProcessingSignals = {
  /** Resolves when new events are stored. */
  whenNewEvents(): Promise<unknown>;
  /** Reports whether more events are pending than can be applied at a time. */
  setBusy(isBusy: boolean): void;
  /** True if running work should finish, but no new work should start. */
  isStopping(): boolean;
};

/** Signals for a single run, which applies only the events that are due. */
export const NO_SIGNALS: ProcessingSignals = {
  whenNewEvents: () => new Promise(() => {}),
  setBusy: () => {},
  isStopping: () => false,
};

/** Signals between event ingestion, event processing, and back-pressure. */
export type EventSignals = ProcessingSignals & {
  /** Starts processing newly stored events. */
  wake(): void;
  /** Resolves once few events are pending, or after a few seconds. */
  whenNotBusy(): Promise<void>;
  stop(): void;
};

export function createEventSignals(): EventSignals {
  let nextWake = Promise.withResolvers<void>();
  let busyPeriod: PromiseWithResolvers<void> | undefined;
  let isStopping = false;
  const setBusy = (isBusy: boolean) => {
    if (isBusy && !isStopping) {
      busyPeriod ??= Promise.withResolvers();
    } else {
      busyPeriod?.resolve();
      busyPeriod = undefined;
    }
  };
  const wake = () => {
    nextWake.resolve();
    nextWake = Promise.withResolvers();
  };
  return {
    wake,
    whenNewEvents: () => nextWake.promise,
    setBusy,
    whenNotBusy: () => (busyPeriod ? Promise.race([busyPeriod.promise, waitForTimeout()]) : Promise.resolve()),
    isStopping: () => isStopping,
    stop: () => {
      isStopping = true;
      setBusy(false);
      wake();
    },
  };
}

function waitForTimeout(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, MAX_WAIT_MS).unref());
}
