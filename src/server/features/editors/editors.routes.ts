import type { FastifyInstance } from 'fastify';
import { can } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import { signedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { addEditor } from './add-editor.ts';
import { readEditors } from './read-editors.ts';
import { keepEditor, removeEditor, withdrawInvitation } from './remove-editor.ts';

/** For editors of the organization and for admins (§6). Changing a role needs a recent proof. */
export async function editorRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readEditors', {
    action: 'editors.manage',
    handle: ({ params }) => readEditors(deps.db, params.orgid),
  });
  registerCall(app, deps, 'addEditor', {
    action: 'editors.manage',
    needs: 'recent-proof',
    handle: async ({ actor, params, body, request }) => {
      const invitedBy = signedIn(actor).userId;
      const { email, role = 'editor' } = body;
      return addEditor(deps, { orgId: params.orgid, email, role, invitedBy, client: request.ip });
    },
  });
  registerCall(app, deps, 'removeEditor', {
    action: 'editors.manage',
    needs: 'recent-proof',
    handle: async ({ actor, params }) => {
      const byAdmin = can(actor, 'users.manage');
      const actorId = signedIn(actor).userId;
      return removeEditor(deps, { orgId: params.orgid, userId: params.userid, actorId, byAdmin });
    },
  });
  registerCall(app, deps, 'keepEditor', {
    action: 'editors.manage',
    needs: 'recent-proof',
    handle: ({ params }) => keepEditor(deps, { orgId: params.orgid, userId: params.userid }),
  });
  registerCall(app, deps, 'withdrawInvitation', {
    action: 'editors.manage',
    handle: ({ params }) => withdrawInvitation(deps, params.orgid, params.invitationid),
  });
}
