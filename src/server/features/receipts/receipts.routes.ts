import type { FastifyInstance } from 'fastify';
import type { Failure } from '#domain/failures.ts';
import type { Actor } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import { recordExport } from '#server/features/activity/record-activity.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { limitDonorReads } from '#server/features/rate-limits/donor-reads.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readReceiptFile } from './read-receipt.ts';
import { findReceiptSourceByEntry, findReceiptSourceByKey } from './receipt-sources.store.ts';
import { markReceiptsMailed, sendReceipt, sendReceiptTo } from './send-receipt.ts';
import { printUndelivered, readUndelivered } from './undelivered-receipts.ts';

export async function receiptRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readUndelivered', {
    action: 'receipts.read',
    handle: (call) => limitDonorReads(deps, call, () => readUndelivered(deps, call.org.id, call.query)),
  });
  registerCall(app, deps, 'downloadUndelivered', {
    action: 'receipts.read',
    isExpensive: true,
    requirement: 'recent-confirmation',
    handle: async (call) => recordExport(deps.db, call, await printUndelivered(deps, call.org)),
  });
  registerCall(app, deps, 'downloadReceipt', {
    action: 'receipts.read',
    isExpensive: true,
    handle: async (call) => {
      const { orgid: orgId, entryid: entryId } = call.params;
      const file = await limitDonorReads(deps, call, async () =>
        readReceiptFile(deps, await findReceiptSourceByEntry(deps.db.kysely, orgId, entryId)),
      );
      return recordExport(deps.db, call, file);
    },
  });
  registerCall(app, deps, 'openReceipt', {
    action: 'receipt.open',
    isExpensive: true,
    handle: async ({ params, query }) =>
      readReceiptFile(deps, await findReceiptSourceByKey(deps.db.kysely, params.orgid, query.key)),
  });
  registerCall(app, deps, 'sendReceipt', {
    action: 'receipts.send',
    handle: async ({ actor, params }) =>
      (await limitResends(deps, actor, params.entryid)) ?? sendReceipt(deps, toEntryKey(params)),
  });
  registerCall(app, deps, 'sendReceiptTo', {
    action: 'receipts.send',
    requirement: 'recent-confirmation',
    handle: async ({ actor, params, body }) =>
      (await limitResends(deps, actor, params.entryid)) ?? sendReceiptTo(deps, toEntryKey(params), body.email),
  });
  registerCall(app, deps, 'markReceiptsMailed', {
    action: 'receipts.send',
    handle: ({ params, body }) => markReceiptsMailed(deps, params.orgid, body),
  });
}

function limitResends(deps: AppDeps, actor: Actor, resource: string): Promise<Failure | undefined> {
  return checkRateLimit(deps, 'mail-again', { userId: requireSignedIn(actor).userId, resource });
}

function toEntryKey({ orgid: orgId, entryid: entryId }: { orgid: string; entryid: string }) {
  return { orgId, entryId };
}
