import type { EventSignals } from '#server/features/provider-events/apply-events.ts';

const LONGEST_WAIT_MS = 5000;

/** Between those who store the provider's events, who apply them, and who had better wait meanwhile. */
export type Signals = EventSignals & {
  /** Wakes who applies events. */
  wake(): void;
  /** Waits while more events wait than are applied at once, but not for long. */
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
