import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from './connection.ts';
import type { Notifications } from './notifications.ts';

/** Each notification is an organization's id and version. Most are sent by `raise_org_version` in the migrations. */
export const ORG_CHANGED = 'org_changed';

export type OrgChanges = {
  /**
   * Tells every server of changes that were committed without a notification. One that gets lost, as when this process
   * dies in between, is found by each server's own look at the versions.
   */
  announce(orgIds: readonly string[]): Promise<void>;
  /** Tells this server's listeners of versions that were not announced. */
  look(): Promise<void>;
  /** Tells this server's listeners of an organization's version now, if they have not heard of it. */
  tell(orgId: string): Promise<void>;
  /** Looks every few seconds from now on. */
  follow(): Promise<void>;
  close(): Promise<void>;
};

const LOOK_EVERY_MS = 5000;

export function orgChanges(pool: pg.Pool, notifications: Notifications, log: Log): OrgChanges {
  const told = new Map<string, number>();
  const closing = new AbortController();
  const waiting = new Set<string>();
  let sending = Promise.resolve();
  let next: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let looking: Promise<void> | undefined;

  const send = async () => {
    next = undefined;
    const orgIds = [...waiting];
    waiting.clear();
    await pool
      .query(`select pg_notify($1, org_id || ' ' || version) from org_versions where org_id = any($2)`, [
        ORG_CHANGED,
        orgIds,
      ])
      .catch((err: unknown) => log.warn({ err }, 'a change could not be announced: it is found a few seconds later'));
  };
  const tellOf = (orgId: string, version: number) => {
    if ((told.get(orgId) ?? 0) < version) notifications.notify(ORG_CHANGED, `${orgId} ${version}`);
  };
  const look = async () => {
    // `changed_at` is when a transaction began, and none takes that long.
    const { rows } = await pool.query<{ org_id: string; version: number }>(
      `select org_id, version from org_versions where changed_at > now() - interval '10 minutes'`,
    );
    for (const { org_id, version } of rows) tellOf(org_id, version);
  };
  const lookRepeatedly = async () => {
    const { signal } = closing;
    while (!signal.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => {});
      // If the database cannot be asked now, the next look finds it.
      if (!signal.aborted) await look().catch(() => {});
    }
  };
  const beginFollowing = async () => {
    await notifications.listen(ORG_CHANGED, (payload) => {
      const [orgId, version] = payload?.split(' ') ?? [];
      if (orgId !== undefined) told.set(orgId, Number(version));
    });
    looking = lookRepeatedly();
  };
  return {
    announce: (orgIds) => {
      for (const orgId of orgIds) waiting.add(orgId);
      // One at a time: those that come meanwhile share the next.
      next ??= sending.then(send);
      sending = next;
      return next;
    },
    look,
    tell: async (orgId) => {
      const { rows } = await pool.query<{ version: number }>('select version from org_versions where org_id = $1', [
        orgId,
      ]);
      for (const { version } of rows) tellOf(orgId, version);
    },
    follow: () => (following ??= beginFollowing()),
    close: async () => {
      closing.abort();
      await Promise.all([looking, sending]);
    },
  };
}
