import type { DeliveryQueue } from '#sandbox/events.ts';
import type { Provider } from '#sandbox/provider.ts';
import type { Store } from '#sandbox/store.ts';
import { type Random, seededRandom } from '../seeded-random.ts';
import { type Faults, newFaults } from './faults.ts';
import type { Schedule } from './schedule.ts';
import { newProvider } from './simulated-provider.ts';

/** A copy of an event in transit to the webhook. */
export type Delivery = { readonly event: string; readonly tries: number; readonly dueAt: number };

/** Changes that users requested, and whether the server confirmed them. */
export type Promises = {
  /** Time at which each subscription was stopped, by id. */
  readonly stopped: Map<string, number>;
  /** Ids of subscriptions that someone asked to stop. */
  readonly toStop: Set<string>;
  /** Ids of deleted checkouts, including those of deleted accounts. */
  readonly deleted: Set<string>;
  /** Checks in the ledger, by pledge. */
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
  /** Number of times the mail server accepted each email, by key. */
  readonly emails: Map<string, number>;
  /** Number of times each email was accepted without the server getting the response, by key. */
  readonly unconfirmedEmails: Map<string, number>;
  crashes: number;
  /** History of the run, in order. */
  readonly steps: string[];
  /** Errors that aren't caused by a simulated fault. */
  readonly complaints: string[];
  /** When the event list was last read to its end. The provider lists events for thirty days. */
  listedAt: number;
  /** Payments that recovery listed but couldn't recover. */
  readonly unrecovered: Set<string>;
  /** Gifts of the receipts that donors received before a loss, by receipt number. */
  readonly printed: Map<number, string>;
  /** When a backup was last restored; 0 if never. */
  restoredAt: number;
  readonly startedAt: number;
  /** Sums of the books up to the end of each closed month, by that end: of the provider's account, and of all accounts. */
  readonly closings: Readonly<Record<'provider' | 'treasurer', Map<number, string>>>;
};

/** Objects that seeds reuse one after another. */
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
