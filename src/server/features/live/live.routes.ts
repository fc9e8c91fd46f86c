import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { API_BASE, LIVE_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { tooManyRequests } from '#domain/server-failures.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { findOrgVersion } from '#server/entities/find-org.ts';
import { authenticateRequest, requirePermission } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { type Connection, createDisconnectSignal, onDisconnect } from '#server/http/disconnection.ts';
import { getNetworks, WIDER_NETWORK_FACTOR } from '#server/http/network.ts';
import { sendProblem } from '#server/http/problems.ts';
import { createConcurrencyCounter } from '#server/http/uploads.ts';

/** Heartbeats keep proxies from closing an idle stream. */
const HEARTBEAT_MS = 20_000;
/** Pause before a browser reconnects. */
const RECONNECT_MS = 2000;

/** Streams an organization's changes to its open pages: server-sent events, or long polling if those are blocked (decisions §6). */
export async function liveRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const changes = await openOrgChanges(deps.db);
  app.addHook('onClose', async () => changes.stop());
  // Open requests must not delay shutdown.
  const shutdownSignal = app.stopping.signal;

  const countPage = createPageCounter();
  const streams = new Set<PassThrough>();
  const help = 'Open pages that follow an organization by an event stream.';
  deps.metrics.addGauges(() => [{ name: 'fund_event_streams', help, values: [[{}, streams.size]] }]);
  registerCall(app, deps, 'waitForChange', {
    action: 'org.read',
    handle: async ({ params, query, request }) => {
      countPage(request);
      const timeout = AbortSignal.timeout(query.wait * 1000);
      const signal = AbortSignal.any([shutdownSignal, createDisconnectSignal(request.raw), timeout]);
      const version = await changes.next(params.orgid, query.since, signal);
      return version === undefined ? new Failure('org-not-found') : { version };
    },
  });

  app.get<{ Params: { orgid: string } }>(API_BASE + LIVE_PATH, async (request, reply) => {
    const { orgid: orgId } = request.params;
    requirePermission(await authenticateRequest(request, deps.identity), 'org.read', { orgId });
    countPage(request);
    const stream = new PassThrough();
    const send = (version: number) => stream.write(`id: ${version}\nevent: version\ndata: ${version}\n\n`);
    const stop = changes.follow(orgId, send);
    // Stop following: the response to a failed request never closes the stream.
    const version = await findOrgVersion(deps.db, orgId).catch((error: unknown) => {
      stop();
      throw error;
    });
    if (version === undefined) {
      stop();
      return sendProblem(request, reply, new Failure('org-not-found'));
    }
    stream.write(`retry: ${RECONNECT_MS}\n\n`);
    send(version);
    const heartbeat = setInterval(() => stream.write(': heartbeat\n\n'), HEARTBEAT_MS);
    const end = () => stream.end();
    streams.add(stream);
    shutdownSignal.addEventListener('abort', end, { once: true });
    stream.once('close', () => {
      stop();
      streams.delete(stream);
      clearInterval(heartbeat);
      shutdownSignal.removeEventListener('abort', end);
    });
    return reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .type('text/event-stream; charset=utf-8')
      .send(stream);
  });
}

/** Allows a school with 300 people behind one address, each with a few pages open. */
const MAX_PAGES_PER_CLIENT = 1000;
const RETRY_AFTER_SECONDS = 60;

/** Parts of a request that identify the client and its connection. */
type OpenPage = { readonly ip: string; readonly raw: Connection };

/**
 * Counts each client's open pages.
 * @returns a function that counts a page until its connection closes, and throws Failure too-many-requests at the limit
 */
export function createPageCounter(max = MAX_PAGES_PER_CLIENT): (page: OpenPage) => void {
  const openPages = createConcurrencyCounter();
  return ({ ip, raw }) => {
    const networks = getNetworks(ip);
    if (networks.some((network, level) => openPages.count(network) >= max * WIDER_NETWORK_FACTOR ** level)) {
      throw tooManyRequests(RETRY_AFTER_SECONDS);
    }
    for (const network of networks) openPages.add(network);
    onDisconnect(raw, () => networks.forEach(openPages.remove));
  };
}

export type OnVersion = (version: number) => void;

/** Notifies of organization changes made on any server. */
export type OrgChanges = {
  /** @returns a function that unsubscribes */
  follow(orgId: OrgId, onVersion: OnVersion): () => void;
  /** Resolves to the first version above `since`, or to the current version when the signal aborts. */
  next(orgId: OrgId, since: number, signal: AbortSignal): Promise<number | undefined>;
  stop(): void;
};

/** Listens to the database's notifications (see `increment_org_version` in the migrations). */
export async function openOrgChanges(db: Database): Promise<OrgChanges> {
  const followers = new Map<string, Set<OnVersion>>();
  const notify = (orgId: OrgId, version: number) => {
    for (const onVersion of followers.get(orgId) ?? []) onVersion(version);
  };
  const notifyCurrentVersion = async (orgId: OrgId) => {
    const version = await findOrgVersion(db, orgId);
    if (version !== undefined) notify(orgId, version);
  };
  const unsubscribe = await db.changes.subscribe((change) => {
    if (change) return notify(change.orgId, change.version);
    // Notifications may have been missed: check every followed organization.
    for (const orgId of followers.keys()) notifyCurrentVersion(orgId).catch(() => {});
  });
  const follow = (orgId: OrgId, onVersion: OnVersion) => {
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
      const change = Promise.withResolvers<number | undefined>();
      // Follow before reading the version, so that no change in between is missed.
      const stop = follow(orgId, (version) => version > since && change.resolve(version));
      signal.addEventListener('abort', () => change.resolve(undefined), { once: true });
      try {
        const currentVersion = await findOrgVersion(db, orgId);
        if (currentVersion === undefined || currentVersion > since || signal.aborted) return currentVersion;
        return (await change.promise) ?? currentVersion;
      } finally {
        stop();
      }
    },
    stop: unsubscribe,
  };
}
