import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { BUSY_RETRY_SECONDS } from './problems.ts';

/** Reports that the program is healthy. Doesn't check other systems, so that their failures don't cause a restart. */
export const LIVENESS_PATH = '/healthz';
/** Reports that the program accepts requests. */
export const READINESS_PATH = '/readyz';

const RESPONSE_TIMEOUT_MS = 2000;

/** @param arePagesMissing true if pages should be served but none are built */
export function healthRoutes(app: FastifyInstance, { db }: Pick<AppDeps, 'db'>, arePagesMissing: boolean): void {
  const respond = (reply: FastifyReply, reason: string | undefined) => {
    void reply.header('cache-control', 'no-store');
    if (reason === undefined) return reply.send({ ok: true });
    return reply.status(503).header('retry-after', String(BUSY_RETRY_SECONDS)).send({ ok: false, reason });
  };
  const problem = arePagesMissing ? 'no pages are built' : undefined;
  app.get(LIVENESS_PATH, (_request, reply) => respond(reply, problem));
  app.get(READINESS_PATH, async (_request, reply) => {
    if (app.stopping.isStopping()) return respond(reply, 'stopping');
    return respond(reply, problem ?? ((await isDatabaseReachable(db)) ? undefined : 'the database does not respond'));
  });
}

function isDatabaseReachable({ availability }: Pick<AppDeps['db'], 'availability'>): Promise<boolean> {
  return Promise.race([availability.check().catch(() => false), pause(RESPONSE_TIMEOUT_MS, false, { ref: false })]);
}
