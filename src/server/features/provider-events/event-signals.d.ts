import type { EventSignals } from './apply-events.ts';
/** Signals between event ingestion, event processing, and back-pressure. */
export type Signals = EventSignals & {
  /** Starts processing newly stored events. */
  wake(): void;
  /** Resolves once few events are pending, or after a few seconds. */
  calm(): Promise<void>;
  stop(): void;
};
export declare function eventSignals(): Signals;
