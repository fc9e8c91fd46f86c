import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import type pg from 'pg';
import type { OrgId } from '#domain/ids.ts';
import type { Log } from '#server/log.ts';
import type { Notifications } from './notifications.ts';
import type { Tables } from './tables.ts';

/** Each notification contains an organization's id and its two versions. The trigger `increment_org_version` sends most of them. */
const ORG_CHANGED = 'org_changed';

export type OrgChange = {
  readonly orgId: OrgId;
  readonly version: number;
  /** Version of the last change to anything except gift totals. */
  readonly contentVersion: number;
};

type VersionRow = { readonly org_id: OrgId; readonly version: number; readonly content_version: number };

export type OrgChanges = {
  /**
   * Calls `onChange` after each change to an organization, made on any server. Calls it with undefined if changes may
   * have been missed, such as during an outage.
   * @returns a function that unsubscribes
   */
  subscribe(onChange: (change: OrgChange | undefined) => void): Promise<() => void>;
  /**
   * Notifies every server of changes that were committed without a notification. If a notification is lost (for
   * example, this process crashes after the commit), polling finds the change.
   */
  announce(orgIds: readonly string[]): Promise<void>;
  /** Notifies local listeners of version changes whose notification was missed. */
  poll(): Promise<void>;
  /**
   * Notifies this server's listeners of an organization's current version, unless they already have it. If the version
   * can't be read, notifies them that they may have missed changes, so that they still have pages during an outage.
   */
  notify(orgId: OrgId): Promise<void>;
  close(): Promise<void>;
};

/** Short enough that a change whose notification is lost is noticed within five seconds, even if a poll is slow. */
const POLL_INTERVAL_MS = 3000;

export function createOrgChanges(pool: pg.Pool, notifications: Notifications, log: Log): OrgChanges {
  const notifiedVersions = new Map<string, number>();
  const closing = new AbortController();
  const queuedOrgs = new Set<string>();
  let lastSend = Promise.resolve();
  let queuedSend: Promise<void> | undefined;
  let pollingStart: Promise<void> | undefined;
  let pollingLoop: Promise<void> | undefined;

  const listen = (onChange: (change: OrgChange | undefined) => void) =>
    notifications.listen(ORG_CHANGED, (payload) => onChange(payload === undefined ? undefined : parseChange(payload)));
  const send = async () => {
    queuedSend = undefined;
    const orgIds = [...queuedOrgs];
    queuedOrgs.clear();
    await pool
      .query(
        `select pg_notify($1, org_id || ' ' || version || ' ' || content_version)
          from org_versions where org_id = any($2)`,
        [ORG_CHANGED, orgIds],
      )
      .catch((err: unknown) => log.warn({ err }, 'a change could not be announced: polling will find it'));
  };
  const notifyIfNew = ({ org_id, version, content_version }: VersionRow) => {
    if ((notifiedVersions.get(org_id) ?? 0) < version)
      notifications.notify(ORG_CHANGED, `${org_id} ${version} ${content_version}`);
  };
  const poll = async () => {
    // `changed_at` is when the transaction began, and no transaction takes ten minutes.
    const { rows } = await pool.query<VersionRow>(
      `select org_id, version, content_version from org_versions where changed_at > now() - interval '10 minutes'`,
    );
    for (const row of rows) notifyIfNew(row);
  };
  const pollRepeatedly = async () => {
    const { signal } = closing;
    while (!signal.aborted) {
      await pause(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => {});
      // If the database is unavailable now, the next poll finds the change.
      if (!signal.aborted) await poll().catch(() => {});
    }
  };
  const startPolling = async () => {
    await listen((change) => {
      if (change) notifiedVersions.set(change.orgId, change.version);
    });
    pollingLoop = pollRepeatedly();
  };
  return {
    subscribe: async (onChange) => {
      pollingStart ??= startPolling();
      await pollingStart;
      return listen(onChange);
    },
    announce: (orgIds) => {
      for (const orgId of orgIds) queuedOrgs.add(orgId);
      // Sends one announcement at a time; organizations that change during it are included in the next one.
      queuedSend ??= lastSend.then(send);
      lastSend = queuedSend;
      return queuedSend;
    },
    poll,
    notify: async (orgId) => {
      try {
        const { rows } = await pool.query<VersionRow>(
          'select org_id, version, content_version from org_versions where org_id = $1',
          [orgId],
        );
        for (const row of rows) notifyIfNew(row);
      } catch {
        // The change is committed even if the database is unavailable now.
        notifications.notify(ORG_CHANGED, undefined);
      }
    },
    close: async () => {
      closing.abort();
      await Promise.all([pollingLoop, lastSend]);
    },
  };
}

/** Keeps the trigger `increment_org_version` from notifying when this transaction commits. */
export async function deferNotifications(tx: Transaction<Tables>): Promise<void> {
  await sql`select set_config('fund.notify', 'deferred', true)`.execute(tx);
}

/** Lists the organizations that the transaction has changed since `deferNotifications`. */
export async function listUnnotifiedOrgIds(tx: Transaction<Tables>): Promise<string[]> {
  const { rows } = await sql<{ org_ids: string | null }>`
    select current_setting('fund.changed_orgs', true) as org_ids`.execute(tx);
  return rows[0]?.org_ids?.split(' ').filter(Boolean) ?? [];
}

function parseChange(payload: string): OrgChange {
  const [orgId = '', version, contentVersion] = payload.split(' ');
  return { orgId, version: Number(version), contentVersion: Number(contentVersion) };
}
