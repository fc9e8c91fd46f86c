import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { API_BASE, LIVE_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { actorOf, permit } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { sendProblem } from '#server/http/problems.ts';
import { orgVersion } from '#server/orgs/find-org.ts';
import { openOrgChanges } from './org-changes.ts';

/** So often a silent stream says that it is still there, or proxies would end it. */
const HEARTBEAT_MS = 20_000;
/** A browser whose stream ended comes back after this. */
const COME_BACK_MS = 2000;

/** How an open page follows its organisation: server-sent events, or long polls where those are blocked (decisions §6). */
export async function liveRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const changes = await openOrgChanges(deps.db);
  // What waits must not hold up the end of the program.
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  registerCall(app, deps, 'waitForChange', {
    action: 'org.read',
    handle: async ({ params, query, request }) => {
      const gone = new AbortController();
      request.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([closing.signal, gone.signal, AbortSignal.timeout(query.wait * 1000)]);
      const version = await changes.next(params.orgid, query.since, signal);
      return version === undefined ? new Failure('org-not-found') : { version };
    },
  });

  app.get<{ Params: { orgid: string } }>(API_BASE + LIVE_PATH, async (request, reply) => {
    const { orgid } = request.params;
    permit(await actorOf(request, deps.identity), 'org.read', { orgId: orgid });
    const stream = new PassThrough();
    const say = (version: number) => stream.write(`id: ${version}\nevent: version\ndata: ${version}\n\n`);
    const stop = changes.follow(orgid, say);
    const version = await orgVersion(deps.db, orgid);
    if (version === undefined) {
      stop();
      return sendProblem(request, reply, new Failure('org-not-found'));
    }
    stream.write(`retry: ${COME_BACK_MS}\n\n`);
    say(version);
    const heartbeat = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS);
    const end = () => stream.end();
    closing.signal.addEventListener('abort', end, { once: true });
    stream.once('close', () => {
      stop();
      clearInterval(heartbeat);
      closing.signal.removeEventListener('abort', end);
    });
    return reply
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .type('text/event-stream')
      .send(stream);
  });
}
