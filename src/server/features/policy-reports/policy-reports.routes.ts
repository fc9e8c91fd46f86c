import type { FastifyInstance } from 'fastify';
import { POLICY_REPORTS_PATH } from '#contract/calls.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readJson } from '#server/http/input.ts';
import { countReport, deleteReports, isReported, latestReports } from './policy-reports.store.ts';
import { type Blocked, sentReports } from './sent-reports.ts';

/** What `report-uri` and `report-to` send. */
const TYPES = ['application/csp-report', 'application/reports+json'];
const BODY_LIMIT = 65_536;
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Takes the reports of browsers about what the content security policy blocked, and shows them to admins. */
export async function policyReportRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readPolicyReports', {
    action: 'activity.read-all',
    handle: () => latestReports(deps.db.kysely),
  });
  await app.register(async (reports) => {
    reports.removeAllContentTypeParsers();
    readJson(reports, TYPES);
    reports.post(POLICY_REPORTS_PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const refused = await checkRateLimit(deps, 'policy-report', { client: request.ip });
      if (refused) throw refused;
      const sent = sentReports(request.body, deps.publicUrl());
      // A page that repeats itself sends the same many times at once.
      const different = new Map(sent.map((report) => [JSON.stringify(report), report]));
      for (const report of different.values()) await count(deps, report, request.ip);
      return reply.status(204).send();
    });
  });
}

/** A client that makes reports up leaves room for those of others. */
async function count(deps: Pick<AppDeps, 'db' | 'now'>, report: Blocked, client: string): Promise<void> {
  const isKnown = await isReported(deps.db.kysely, report);
  if (isKnown || !(await checkRateLimit(deps, 'new-policy-report', { client })))
    await countReport(deps.db.kysely, report, deps.now());
}

/** Forgets what was not reported again for 30 days. */
export function sweepPolicyReports({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  return deleteReports(db.kysely, new Date(now().getTime() - KEPT_MS));
}
