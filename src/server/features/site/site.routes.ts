import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { registerCall } from '#server/http/call-route.ts';
import { testSite } from './test-site.ts';

/** What the whole site says of itself, and whether the program is alive. */
export async function siteRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readSite', {
    action: 'site.read',
    handle: async () => ({
      parentName: deps.parent.name,
      parentEin: deps.parent.ein,
      parentAddress: deps.parent.address,
      contactEmail: deps.parent.contactEmail,
      publicUrl: deps.publicUrl(),
      defaultOrg: deps.defaultOrg,
      sandbox: deps.sandbox,
      googleSignIn: deps.identity.google !== undefined,
      placesCredit: deps.places.credit,
    }),
  });
  registerCall(app, deps, 'runTest', { action: 'admin.visit', handle: () => testSite(deps) });
  app.get('/healthz', async () => {
    await deps.db.pool.query('select 1');
    return { ok: true };
  });
}
