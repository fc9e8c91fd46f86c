import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { METRICS_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { sendProblem } from '#server/http/problems.ts';
import { measureOperation } from './measure-operation.ts';
import { measureProgram } from './measure-program.ts';

/** For the operator's Prometheus, and nobody else: without a token in the settings there is no such address. */
export async function metricsRoute(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'db' | 'now' | 'metrics' | 'metricsToken'>,
) {
  const { metrics, metricsToken } = deps;
  if (metricsToken !== undefined) {
    measureProgram(app, deps);
    measureOperation(deps);
  }
  app.get(METRICS_PATH, async (request, reply) => {
    if (metricsToken === undefined) return sendProblem(request, reply, new Failure('call-not-found'));
    const sent = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (sent === undefined || !isSame(sent, metricsToken)) throw new Failure('token-invalid');
    void reply.type('text/plain; version=0.0.4; charset=utf-8').header('cache-control', 'no-store');
    return reply.send(await metrics.text());
  });
}

/** Takes as long whatever is sent. */
function isSame(sent: string, token: string): boolean {
  const [one, other] = [sent, token].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
