import type { DeliveryQueue } from '#sandbox/events.ts';
import type { Provider } from '#sandbox/provider.ts';
import type { Store } from '#sandbox/store.ts';
import { type Random, seededRandom } from '../seeded-random.ts';
import { type Faults, newFaults } from './faults.ts';
import type { Schedule } from './schedule.ts';
import { newProvider } from './simulated-provider.ts';

/** A copy of an event in transit to the webhook. */
export type Delivery = { readonly event: string; readonly tries: number; readonly dueAt: number };

/** Requests that the program confirmed or has not responded to yet. */
export type Promises = {
  /** When subscriptions were stopped, by id. */
  readonly stopped: Map<string, number>;
  /** Subscriptions that a person wants to stop, until the program confirms it. */
  readonly toStop: Set<string>;
  /** Checkouts of deleted accounts and records. */
  readonly deleted: Set<string>;
  /** Checks in the ledger, by their pledge. */
  readonly checks: Map<string, boolean>;
};

/** State of one seed: the provider, the network, the clock, and the random choices. */
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
  /** The provider's events. Those sent to the network count as delivered. */
  readonly deliveries: DeliveryQueue;
  readonly promises: Promises;
  /** True if receipts are emailed. Their PDFs take longer than everything else. */
  readonly emailsReceipts: boolean;
  /** How often the mail server accepted each email, by its key. */
  readonly emails: Map<string, number>;
  /** Number of times each email was accepted although the program got no response, by key. */
  readonly unconfirmedEmails: Map<string, number>;
  crashes: number;
  /** History of the run, in order. */
  readonly steps: string[];
  /** Errors that no fault explains. */
  readonly complaints: string[];
  /** When the list of events was last read to its end. The provider lists events for thirty days. */
  listedAt: number;
  /** Money that recovery reported without recording it. */
  readonly unrecovered: Set<string>;
  /** The gift of each lost receipt number. */
  readonly printed: Map<number, string>;
  /** When a backup was restored; 0 if never. */
  restoredAt: number;
  readonly startedAt: number;
  /** Sums of the books before the end of each closed month, by that end: for the provider's money, and for all money. */
  readonly closings: Readonly<Record<'provider' | 'treasurer', Map<number, string>>>;
};

/** Objects that all seeds share, one seed after another. */
export type SharedObjects = { readonly schedule: Schedule; readonly store: Store; readonly deliveries: DeliveryQueue };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function newWorld(seed: number, { schedule, store, deliveries }: SharedObjects): World {
  const random = seededRandom(`simulation ${seed}`);
  let time = Date.parse('2026-01-05T12:00:00.000Z') + random.integer(0, 300) * DAY + random.integer(0, DAY);
  const now = () => new Date(time);
  return {
    seed,
    random,
    idsFrom: seededRandom(`ids ${seed}`),
    schedule,
    faults: newFaults(random),
    emailsReceipts: random.chance(0.1),
    provider: newProvider(store, now),
    now,
    pass: (milliseconds) => {
      time += milliseconds;
    },
    network: [],
    deliveries,
    promises: { stopped: new Map(), toStop: new Set(), deleted: new Set(), checks: new Map() },
    emails: new Map(),
    unconfirmedEmails: new Map(),
    crashes: 0,
    steps: [],
    complaints: [],
    listedAt: time,
    unrecovered: new Set(),
    printed: new Map(),
    restoredAt: 0,
    startedAt: time,
    closings: { provider: new Map(), treasurer: new Map() },
  };
}
