import type { FastifyInstance } from 'fastify';
import { can } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import { requireFresh, signedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { addEditor } from './add-editor.ts';
import { readEditors } from './read-editors.ts';
import { removeEditor, withdrawInvitation } from './remove-editor.ts';

/** Who edits an organisation: for its editors and for admins (§6). Roles change hands with a fresh token alone. */
export async function editorRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  const { db, identity, now } = deps;
  registerCall(app, identity, 'readEditors', {
    action: 'editors.manage',
    subject: inOrg,
    handle: ({ params }) => readEditors(db, params.orgid),
  });
  registerCall(app, identity, 'addEditor', {
    action: 'editors.manage',
    subject: inOrg,
    handle: async ({ actor, params, body, request }) => {
      requireFresh(actor, now());
      const invitedBy = signedIn(actor).userId;
      return addEditor(deps, { orgId: params.orgid, email: body.email, invitedBy, client: request.ip });
    },
  });
  registerCall(app, identity, 'removeEditor', {
    action: 'editors.manage',
    subject: inOrg,
    handle: async ({ actor, params }) => {
      requireFresh(actor, now());
      const byAdmin = can(actor, 'users.manage');
      return removeEditor(deps, { orgId: params.orgid, userId: params.userid, byAdmin });
    },
  });
  registerCall(app, identity, 'withdrawInvitation', {
    action: 'editors.manage',
    subject: inOrg,
    handle: ({ params }) => withdrawInvitation(deps, params.orgid, params.invitationid),
  });
}

function inOrg({ orgid }: { orgid: string }) {
  return { orgId: orgid };
}
