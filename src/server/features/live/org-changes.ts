import type { Database } from '#server/db/connection.ts';
import { orgVersion } from '#server/orgs/find-org.ts';

/** Told the version that an organisation has now. */
export type OnVersion = (version: number) => void;

/** Hears of every change of an organisation, whoever made it. */
export type OrgChanges = {
  /** @returns how to stop following */
  follow(orgId: string, onVersion: OnVersion): () => void;
  /** The first version above `since`, or the one that holds when the signal ends the waiting. */
  next(orgId: string, since: number, signal: AbortSignal): Promise<number | undefined>;
};

/** Follows the changes that the database tells of (see migrations, `raise_org_version`). */
export async function openOrgChanges(db: Database): Promise<OrgChanges> {
  const followers = new Map<string, Set<OnVersion>>();
  const tell = (orgId: string, version: number) => {
    for (const onVersion of followers.get(orgId) ?? []) onVersion(version);
  };
  const tellAnew = async (orgId: string) => {
    const version = await orgVersion(db, orgId);
    if (version !== undefined) tell(orgId, version);
  };
  await db.listen('org_changed', (payload) => {
    const [orgId, version] = payload?.split(' ') ?? [];
    if (orgId !== undefined) return tell(orgId, Number(version));
    // Something may have been missed: each organisation that somebody follows is looked at.
    for (const followed of followers.keys()) tellAnew(followed).catch(() => {});
  });
  const follow = (orgId: string, onVersion: OnVersion) => {
    const listeners = followers.get(orgId) ?? new Set<OnVersion>();
    followers.set(orgId, listeners.add(onVersion));
    return () => {
      listeners.delete(onVersion);
      if (listeners.size === 0 && followers.get(orgId) === listeners) followers.delete(orgId);
    };
  };
  return {
    follow,
    next: async (orgId, since, signal) => {
      const waiting = Promise.withResolvers<number | undefined>();
      // Followed first, and asked then: a change in between is not missed.
      const stop = follow(orgId, (version) => version > since && waiting.resolve(version));
      signal.addEventListener('abort', () => waiting.resolve(undefined), { once: true });
      try {
        const now = await orgVersion(db, orgId);
        if (now === undefined || now > since || signal.aborted) return now;
        return (await waiting.promise) ?? now;
      } finally {
        stop();
      }
    },
  };
}
