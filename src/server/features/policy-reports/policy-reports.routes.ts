import type { FastifyInstance } from 'fastify';
import { POLICY_REPORTS_PATH } from '#contract/calls.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { registerJsonParser } from '#server/http/json-parser.ts';
import { parseReports } from './parse-reports.ts';

/** The content types of `report-uri` and `report-to`. */
const REPORT_TYPES = ['application/csp-report', 'application/reports+json'];
const BODY_LIMIT = 65_536;
const MAX_LOGGED_REPORTS = 5;

/** Logs and counts browsers' reports about violations of the content security policy. */
export async function policyReportRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    registerJsonParser(scope, REPORT_TYPES);
    scope.post(POLICY_REPORTS_PATH, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const failure = await checkRateLimit(deps, 'policy-report', { client: request.ip });
      if (failure) throw failure;
      const reports = parseReports(request.body, deps.publicUrl());
      for (const _ of reports) deps.metrics.count('fund_policy_reports_total');
      if (reports.length > 0) {
        request.log.warn({ reports: reports.slice(0, MAX_LOGGED_REPORTS) }, 'a browser blocked part of a page');
      }
      return reply.status(204).send();
    });
  });
}
