import type { FastifyInstance } from 'fastify';
import { POLICY_REPORTS_PATH } from '#contract/calls.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { readJson } from '#server/http/input.ts';
import { sentReports } from './sent-reports.ts';

/** The content types of `report-uri` and `report-to`. */
const TYPES = ['application/csp-report', 'application/reports+json'];
const BODY_LIMIT = 65_536;
const MOST_LOGGED = 5;

/** Logs and counts what browsers blocked because of the content security policy. */
export async function policyReportRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (reports) => {
    reports.removeAllContentTypeParsers();
    readJson(reports, TYPES);
    reports.post(POLICY_REPORTS_PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const refused = await checkRateLimit(deps, 'policy-report', { client: request.ip });
      if (refused) throw refused;
      const sent = sentReports(request.body, deps.publicUrl());
      for (const _ of sent) deps.metrics.count('fund_policy_reports_total');
      if (sent.length > 0) {
        request.log.warn({ reports: sent.slice(0, MOST_LOGGED) }, 'a browser blocked part of a page');
      }
      return reply.status(204).send();
    });
  });
}
