import type { Store } from './store.ts';

/** After this long Stripe gives an event up. */
const PATIENCE_MS = 3 * 24 * 60 * 60 * 1000;

/** What is to be delivered, and how that went so far. All times in milliseconds since 1970. */
export type DeliveryQueue = {
  payload(event: string): string;
  due(now: number, most: number): string[];
  undelivered(): string[];
  makeDue(now: number): void;
  /** Milliseconds from now to the next turn that is still to come. */
  nextTurn(now: number): number | undefined;
  delivered(event: string, now: number): void;
  /** @returns how many attempts there have been */
  failed(event: string, answer: string, now: number, retryDelay: (attempts: number) => number): number;
};

export function deliveryQueue({ db }: Store): DeliveryQueue {
  const payload = db.prepare('SELECT resource FROM events WHERE id = ?');
  const due = db.prepare(
    'SELECT event FROM deliveries WHERE delivered_at IS NULL AND next_attempt_at <= ? ORDER BY rowid LIMIT ?',
  );
  const undelivered = db.prepare('SELECT event FROM deliveries WHERE delivered_at IS NULL ORDER BY rowid');
  const makeDue = db.prepare('UPDATE deliveries SET next_attempt_at = ? WHERE delivered_at IS NULL');
  const nextTurn = db.prepare(
    'SELECT min(next_attempt_at) AS next FROM deliveries WHERE delivered_at IS NULL AND next_attempt_at > ?',
  );
  const delivered = db.prepare(
    'UPDATE deliveries SET attempts = attempts + 1, delivered_at = coalesce(delivered_at, ?), next_attempt_at = NULL WHERE event = ?',
  );
  const failed = db.prepare(
    'UPDATE deliveries SET attempts = attempts + 1, last_answer = ? WHERE event = ? RETURNING attempts, delivered_at',
  );
  const again = db.prepare('UPDATE deliveries SET next_attempt_at = ? WHERE event = ?');
  const created = db.prepare('SELECT created FROM events WHERE id = ?');
  return {
    payload: (event) => String(payload.get(event)?.resource),
    due: (now, most) => due.all(now, most).map((row) => String(row.event)),
    undelivered: () => undelivered.all().map((row) => String(row.event)),
    makeDue: (now) => void makeDue.run(now),
    nextTurn: (now) => {
      const next = nextTurn.get(now)?.next;
      return typeof next === 'number' ? next - now : undefined;
    },
    delivered: (event, now) => void delivered.run(now, event),
    failed: (event, answer, now, retryDelay) => {
      const row = failed.get(answer, event);
      const attempts = Number(row?.attempts);
      const givenUp = now - Number(created.get(event)?.created) * 1000 > PATIENCE_MS;
      if (row?.delivered_at === null) again.run(givenUp ? null : now + retryDelay(attempts), event);
      return attempts;
    },
  };
}
