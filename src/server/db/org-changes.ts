import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Log } from '#server/log.ts';
import type { Notifications } from './notifications.ts';

/** Each notification is an organization's id and version. Most come from `raise_org_version` in the migrations. */
export const ORG_CHANGED = 'org_changed';

export type OrgChanges = {
  /**
   * Notifies every server of changes that were committed without a notification. If a notification is lost, as when this
   * process crashes in between, each server's own polling finds the change.
   */
  announce(orgIds: readonly string[]): Promise<void>;
  /** Notifies this server's listeners of versions that were not announced. */
  look(): Promise<void>;
  /** Notifies this server's listeners of an organization's current version, if it is new to them. */
  tell(orgId: string): Promise<void>;
  /** Polls every few seconds from now on. */
  follow(): Promise<void>;
  close(): Promise<void>;
};

const POLL_INTERVAL_MS = 5000;

export function orgChanges(pool: pg.Pool, notifications: Notifications, log: Log): OrgChanges {
  const notifiedVersions = new Map<string, number>();
  const closing = new AbortController();
  const queuedOrgs = new Set<string>();
  let sending = Promise.resolve();
  let next: Promise<void> | undefined;
  let following: Promise<void> | undefined;
  let looking: Promise<void> | undefined;

  const send = async () => {
    next = undefined;
    const orgIds = [...queuedOrgs];
    queuedOrgs.clear();
    await pool
      .query(`select pg_notify($1, org_id || ' ' || version) from org_versions where org_id = any($2)`, [
        ORG_CHANGED,
        orgIds,
      ])
      .catch((err: unknown) => log.warn({ err }, 'a change could not be announced: it is found a few seconds later'));
  };
  const notifyIfNew = (orgId: string, version: number) => {
    if ((notifiedVersions.get(orgId) ?? 0) < version) notifications.notify(ORG_CHANGED, `${orgId} ${version}`);
  };
  const look = async () => {
    // `changed_at` is the start of a transaction, and none takes that long.
    const { rows } = await pool.query<{ org_id: string; version: number }>(
      `select org_id, version from org_versions where changed_at > now() - interval '10 minutes'`,
    );
    for (const { org_id, version } of rows) notifyIfNew(org_id, version);
  };
  const lookRepeatedly = async () => {
    const { signal } = closing;
    while (!signal.aborted) {
      await pause(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
      // If the database is unavailable now, the next poll finds the change.
      if (!signal.aborted) await look().catch(() => {});
    }
  };
  const beginFollowing = async () => {
    await notifications.listen(ORG_CHANGED, (payload) => {
      const [orgId, version] = payload?.split(' ') ?? [];
      if (orgId !== undefined) notifiedVersions.set(orgId, Number(version));
    });
    looking = lookRepeatedly();
  };
  return {
    announce: (orgIds) => {
      for (const orgId of orgIds) queuedOrgs.add(orgId);
      // One announcement at a time; changes during it share the next one.
      next ??= sending.then(send);
      sending = next;
      return next;
    },
    look,
    tell: async (orgId) => {
      const { rows } = await pool.query<{ version: number }>('select version from org_versions where org_id = $1', [
        orgId,
      ]);
      for (const { version } of rows) notifyIfNew(orgId, version);
    },
    follow: () => (following ??= beginFollowing()),
    close: async () => {
      closing.abort();
      await Promise.all([looking, sending]);
    },
  };
}
