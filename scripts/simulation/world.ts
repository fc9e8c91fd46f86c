import type { DeliveryQueue } from '#sandbox/events.ts';
import type { Provider } from '#sandbox/provider.ts';
import type { Store } from '#sandbox/store.ts';
import { createSeededRandom, type Random } from '../seeded-random.ts';
import { createFaults, type Faults } from './faults.ts';
import type { Schedule } from './schedule.ts';
import { createProvider } from './simulated-provider.ts';

/** A copy of an event in transit to the webhook. */
export type Delivery = { readonly event: string; readonly tries: number; readonly dueAt: number };

/** Changes that users requested, and whether the server confirmed them. */
export type UserRequests = {
  /** Time at which each subscription was stopped, by id. */
  readonly stoppedAtById: Map<string, number>;
  /** Ids of subscriptions that someone asked to stop. */
  readonly requestedStops: Set<string>;
  /** Ids of deleted checkouts, including those of deleted accounts. */
  readonly deletedCheckoutIds: Set<string>;
};

/** State of one seed: the provider, the network, the clock, and the random choices. */
export type World = {
  readonly seed: number;
  readonly random: Random;
  readonly idRandom: Random;
  readonly schedule: Schedule;
  readonly faults: Faults;
  readonly provider: Provider;
  readonly now: () => Date;
  advance(milliseconds: number): void;
  readonly network: Delivery[];
  /** The provider's events. Events sent to the network count as delivered. */
  readonly deliveries: DeliveryQueue;
  readonly userRequests: UserRequests;
  /** True if receipts are emailed. Their PDFs take longer than everything else. */
  readonly sendsReceiptEmails: boolean;
  /** Number of times the mail server accepted each email, by key. */
  readonly emails: Map<string, number>;
  /** Number of times each email was accepted but the server didn't get the response, by key. */
  readonly unconfirmedEmails: Map<string, number>;
  crashCount: number;
  /** History of the run, in order. */
  readonly steps: string[];
  /** Errors that aren't caused by a simulated fault. */
  readonly unexpectedProblems: string[];
  /** When the event list was last read to its end. The provider lists events for thirty days. */
  listedAt: number;
  /** Attention subjects of payments that recovery listed but couldn't recover. */
  readonly unrecoveredSubjects: Set<string>;
  /** Gifts of the receipts that donors received before a loss, by receipt number. */
  readonly printedReceipts: Map<number, string>;
  /** When a backup was last restored; 0 if never. */
  restoredAt: number;
  readonly startedAt: number;
  /** Sums of the books by the end of each closed month: for the provider's account, and for all accounts. */
  readonly closedMonthSums: Readonly<Record<'provider' | 'treasurer', Map<number, string>>>;
};

/** Objects that are reused from one seed to the next. */
export type SharedObjects = { readonly schedule: Schedule; readonly store: Store; readonly deliveries: DeliveryQueue };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function createWorld(seed: number, { schedule, store, deliveries }: SharedObjects): World {
  const random = createSeededRandom(`simulation ${seed}`);
  let time = Date.parse('2026-01-05T12:00:00.000Z') + random.integer(0, 300) * DAY + random.integer(0, DAY);
  const now = () => new Date(time);
  return {
    seed,
    random,
    idRandom: createSeededRandom(`ids ${seed}`),
    schedule,
    faults: createFaults(random),
    sendsReceiptEmails: random.chance(0.1),
    provider: createProvider(store, now),
    now,
    advance: (milliseconds) => {
      time += milliseconds;
    },
    network: [],
    deliveries,
    userRequests: { stoppedAtById: new Map(), requestedStops: new Set(), deletedCheckoutIds: new Set() },
    emails: new Map(),
    unconfirmedEmails: new Map(),
    crashCount: 0,
    steps: [],
    unexpectedProblems: [],
    listedAt: time,
    unrecoveredSubjects: new Set(),
    printedReceipts: new Map(),
    restoredAt: 0,
    startedAt: time,
    closedMonthSums: { provider: new Map(), treasurer: new Map() },
  };
}
