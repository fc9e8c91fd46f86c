import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { METRICS_PATH } from '#contract/calls.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps, WithSettings } from '#server/deps.ts';
import { sendProblem } from '#server/http/problems.ts';
import { measureOperation } from './measure-operation.ts';
import { collectProcessMetrics } from './process-metrics.ts';

/** Serves metrics to the operator's Prometheus. Responds with 404 if the settings have no token. */
export async function metricsRoute(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'db' | 'now' | 'payments' | 'metrics'> & WithSettings<'metricsToken'>,
) {
  const { metrics } = deps;
  const { metricsToken } = deps.settings;
  if (metricsToken !== undefined) {
    collectProcessMetrics(app, deps);
    measureOperation(deps);
  }
  app.get(METRICS_PATH, async (request, reply) => {
    if (metricsToken === undefined) return sendProblem(request, reply, new Failure('call-not-found'));
    const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined || !areTokensEqual(token, metricsToken)) throw new Failure('token-invalid');
    void reply.type('text/plain; version=0.0.4; charset=utf-8').header('cache-control', 'no-store');
    return reply.send(await metrics.text());
  });
}

/** Compares tokens in constant time. */
function areTokensEqual(token: string, expectedToken: string): boolean {
  const sha256 = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(sha256(token), sha256(expectedToken));
}
