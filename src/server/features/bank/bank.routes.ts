import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { closeMonth, reopenMonth } from './close-month.ts';
import { markBankLine } from './mark-bank-line.ts';
import { readBankMonth } from './read-bank-month.ts';
import { readBookMonths } from './read-book-months.ts';
import { removeDeposit, saveDeposit } from './save-deposit.ts';

export async function bankRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readBankMonth', {
    action: 'books.read',
    handle: ({ org, query }) => readBankMonth(deps.db.kysely, deps, org, query),
  });
  registerCall(app, deps, 'readBookMonths', {
    action: 'books.read',
    handle: ({ org }) => readBookMonths(deps, org),
  });
  registerCall(app, deps, 'markBankLine', {
    action: 'books.reconcile',
    handle: ({ actor, org, params, body }) =>
      markBankLine(deps, org, {
        kind: params.kind,
        id: params.lineid,
        isSeen: body.seen,
        userId: requireSignedIn(actor).userId,
      }),
  });
  registerCall(app, deps, 'saveDeposit', {
    action: 'books.reconcile',
    handle: ({ actor, org, params, body }) =>
      saveDeposit(deps, org, {
        id: params.depositid,
        depositedOn: body.on,
        entryIds: body.entryids,
        userId: requireSignedIn(actor).userId,
      }),
  });
  registerCall(app, deps, 'removeDeposit', {
    action: 'books.reconcile',
    handle: ({ params }) => removeDeposit(deps, { orgId: params.orgid, depositId: params.depositid }),
  });
  registerCall(app, deps, 'closeMonth', {
    action: 'books.reconcile',
    handle: ({ actor, org, params }) =>
      closeMonth(deps, org, { month: params.month, userId: requireSignedIn(actor).userId }),
  });
  registerCall(app, deps, 'reopenMonth', {
    action: 'books.reconcile',
    handle: ({ actor, org, params, body }) =>
      reopenMonth(deps, org, { month: params.month, reason: body.reason, userId: requireSignedIn(actor).userId }),
  });
}
