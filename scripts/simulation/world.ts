import type { DeliveryQueue } from '#sandbox/events.ts';
import type { Provider } from '#sandbox/provider.ts';
import type { Store } from '#sandbox/store.ts';
import { type Random, seededRandom } from '../sample/seeded-random.ts';
import { type Faults, newFaults } from './faults.ts';
import type { Schedule } from './schedule.ts';
import { newProvider } from './simulated-provider.ts';

/** A copy of an event on its way to the webhook. */
export type Delivery = { readonly event: string; readonly tries: number; readonly dueAt: number };

/** What the program was asked for and said yes to, or has not answered yet. */
export type Promises = {
  /** Subscriptions that were stopped, and when. */
  readonly stopped: Map<string, number>;
  /** Subscriptions that someone wants stopped, until that is promised. */
  readonly toStop: Set<string>;
  /** Checkouts of accounts and records that were deleted. */
  readonly deleted: Set<string>;
  /** Checks in the ledger, by their pledge. */
  readonly checks: Map<string, boolean>;
};

/** All that one seed makes: the provider, the network, the clock, and who does what. */
export type World = {
  readonly seed: number;
  readonly random: Random;
  readonly idsFrom: Random;
  readonly schedule: Schedule;
  readonly faults: Faults;
  readonly provider: Provider;
  readonly now: () => Date;
  pass(milliseconds: number): void;
  readonly network: Delivery[];
  /** The provider's events; those that were given to the network count as delivered. */
  readonly deliveries: DeliveryQueue;
  readonly promises: Promises;
  /** Whether receipts are mailed: their PDFs take longer than all else. */
  readonly mailsReceipts: boolean;
  /** How often each mail was taken by the mail server, by its key. */
  readonly mails: Map<string, number>;
  /** What happened, in order. */
  readonly steps: string[];
  /** Errors that no fault explains. */
  readonly complaints: string[];
  /** When the list of events was last read to its end: the provider lists no more than thirty days. */
  listedAt: number;
  /** Money that recovery told the operator about and left alone. */
  readonly leftAlone: Set<string>;
  /** Which gift each receipt number was for that was lost. */
  readonly printed: Map<number, string>;
  /** When a backup was restored; 0 if never. */
  restoredAt: number;
};

/** What all seeds share, one after another. */
export type Surroundings = { readonly schedule: Schedule; readonly store: Store; readonly deliveries: DeliveryQueue };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function newWorld(seed: number, { schedule, store, deliveries }: Surroundings): World {
  const random = seededRandom(`simulation ${seed}`);
  let time = Date.parse('2026-01-05T12:00:00.000Z') + random.whole(0, 300) * DAY + random.whole(0, DAY);
  const now = () => new Date(time);
  return {
    seed,
    random,
    idsFrom: seededRandom(`ids ${seed}`),
    schedule,
    faults: newFaults(random),
    mailsReceipts: random.chance(0.1),
    provider: newProvider(store, now),
    now,
    pass: (milliseconds) => {
      time += milliseconds;
    },
    network: [],
    deliveries,
    promises: { stopped: new Map(), toStop: new Set(), deleted: new Set(), checks: new Map() },
    mails: new Map(),
    steps: [],
    complaints: [],
    listedAt: time,
    leftAlone: new Set(),
    printed: new Map(),
    restoredAt: 0,
  };
}
