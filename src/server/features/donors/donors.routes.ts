import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { limitDonorReads as readWithinLimits } from '#server/features/rate-limits/donor-reads.ts';
import { registerCall } from '#server/http/call-route.ts';
import { findGiftsClaimSubject, resolveGiftsClaim } from './claim-gifts.ts';
import { correctDonor } from './correct-donor.ts';
import { createDonorStatement, exportDonors, printStatements } from './donor-files.ts';
import { mergeDonor, separateDonor } from './merge-donors.ts';
import { countDonorHomes, readDonor, readDonorGifts, readDonorSums, readDonors } from './read-donors.ts';

export async function donorRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readDonors', {
    action: 'donors.read',
    handle: (call) => readWithinLimits(deps, call, () => readDonors(deps, call.org, call.query)),
  });
  registerCall(app, deps, 'sumDonors', {
    action: 'donors.read',
    handle: ({ org, query }) => readDonorSums(deps, org.id, query.query),
  });
  registerCall(app, deps, 'countHomes', {
    action: 'donors.read',
    isExpensive: true,
    handle: ({ org, body }) => countDonorHomes(deps, org.id, body.ids),
  });
  registerCall(app, deps, 'readDonor', {
    action: 'donors.read',
    handle: (call) => readWithinLimits(deps, call, () => readDonor(deps, call.org, call.params.donorid, call.language)),
  });
  registerCall(app, deps, 'readDonorGifts', {
    action: 'donors.read',
    handle: ({ org, params, query }) => readDonorGifts(deps, org, params.donorid, query),
  });
  registerCall(app, deps, 'correctDonor', {
    action: 'donors.manage',
    requirement: 'recent-confirmation',
    handle: ({ params, body }) => correctDonor(deps, toDonorKey(params), body),
  });
  registerCall(app, deps, 'claimGifts', {
    action: 'gifts.claim',
    subject: (params) => findGiftsClaimSubject(deps.db, toDonorKey(params)),
    handle: ({ params, body, request }) =>
      resolveGiftsClaim(deps, toDonorKey(params), { isAccepted: body.mine, ipAddress: request.ip }),
  });
  registerCall(app, deps, 'mergeDonor', {
    action: 'donors.manage',
    handle: ({ params, body }) => mergeDonor(deps, toDonorKey(params), { otherId: body.otherid, reason: body.reason }),
  });
  registerCall(app, deps, 'separateDonor', {
    action: 'donors.manage',
    handle: ({ params, body }) => separateDonor(deps, toDonorKey(params), body.reason),
  });
  fileRoutes(app, deps);
}

function fileRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { db } = deps;
  registerCall(app, deps, 'downloadDonors', {
    action: 'donors.download',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(db, call, await exportDonors(deps, call.org)),
  });
  registerCall(app, deps, 'downloadDonorStatement', {
    action: 'donors.download',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) =>
      recordExport(db, call, await createDonorStatement(deps, toDonorKey(call.params), call.params.year)),
  });
  registerCall(app, deps, 'downloadDonorStatements', {
    action: 'donors.download',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(db, call, await printStatements(deps, call.org, call.query)),
  });
}

function toDonorKey({ orgid: orgId, donorid: donorId }: { orgid: string; donorid: string }) {
  return { orgId, donorId };
}
