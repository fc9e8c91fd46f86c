import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { findReceiptSourceByKey } from '#server/features/receipts/read-receipt.ts';
import { registerCall } from '#server/http/call-route.ts';
import { readGiftHomes } from './read-gift-homes.ts';

export async function allocationRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'openGiftHomes', {
    action: 'receipt.open',
    isExpensive: true,
    handle: async ({ org, query }) => {
      const receipt = await findReceiptSourceByKey(deps.db.kysely, org.id, query.key);
      return receipt ? readGiftHomes(deps, org, receipt) : new Failure('receipt-not-found');
    },
  });
}
