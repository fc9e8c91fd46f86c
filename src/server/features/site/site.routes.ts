import { performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { TestReport } from '#contract/schemas/site.ts';
import type { AppDeps } from '#server/deps.ts';
import { verifyLedger } from '#server/features/ledger/verify-ledger.ts';
import { registerCall } from '#server/http/call-route.ts';

export async function siteRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readSite', {
    action: 'site.read',
    isCached: true,
    handle: async () => ({
      parentName: deps.parent.name,
      parentEin: deps.parent.ein,
      parentAddress: deps.parent.address,
      contactEmail: deps.parent.contactEmail,
      stateRegistration: deps.settings.stateRegistration ?? '',
      annualReportUrl: deps.settings.annualReportUrl ?? null,
      publicUrl: deps.publicUrl(),
      defaultOrg: deps.settings.defaultOrg,
      sandbox: deps.sandbox,
      testPayments: !deps.sandbox && !deps.livemode,
      googleSignIn: deps.identity.google !== undefined,
      placesCredit: deps.places.credit,
    }),
  });
  registerCall(app, deps, 'readCardFee', {
    action: 'site.read',
    isCached: true,
    handle: async () => ({ cardFee: deps.settings.cardFee ?? null }),
  });
  registerCall(app, deps, 'runTest', { action: 'admin.visit', handle: () => runSelfCheck(deps) });
}

/** Checks that the database responds and that every ledger adds up. Changes nothing. */
export async function runSelfCheck({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<TestReport> {
  const start = performance.now();
  await db.pool.query('select 1');
  const databaseMilliseconds = Math.round(performance.now() - start);
  const differences = await verifyLedger(db);
  return {
    createdTimestamp: now().toISOString(),
    databaseMilliseconds,
    ledgerDifferences: differences.length,
  };
}
