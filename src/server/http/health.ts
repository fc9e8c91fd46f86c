import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { BUSY_SECONDS } from './problems.ts';

/** The program itself works. Nothing else is asked, so that it is not started again for what others lack. */
export const LIVENESS_PATH = '/healthz';
/** Requests may be sent here. */
export const READINESS_PATH = '/readyz';

const ANSWER_MS = 2000;

/** @param lacksPages pages are meant to be served, and none are built */
export function healthRoutes(app: FastifyInstance, { db }: Pick<AppDeps, 'db'>, lacksPages: boolean): void {
  const say = (reply: FastifyReply, reason: string | undefined) => {
    void reply.header('cache-control', 'no-store');
    if (reason === undefined) return reply.send({ ok: true });
    return reply.status(503).header('retry-after', String(BUSY_SECONDS)).send({ ok: false, reason });
  };
  const trouble = lacksPages ? 'no pages are built' : undefined;
  app.get(LIVENESS_PATH, (_request, reply) => say(reply, trouble));
  app.get(READINESS_PATH, async (_request, reply) => {
    if (app.stopping.isStopping()) return say(reply, 'stopping');
    return say(reply, trouble ?? ((await answers(db)) ? undefined : 'the database does not answer'));
  });
}

function answers({ reach }: Pick<AppDeps['db'], 'reach'>): Promise<boolean> {
  return Promise.race([reach.look().catch(() => false), pause(ANSWER_MS, false, { ref: false })]);
}
