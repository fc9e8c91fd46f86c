import type { FastifyInstance } from 'fastify';
import { type Actor, can, type Role } from '#domain/permissions.ts';
import type { AppDeps } from '#server/deps.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { addEditor } from './add-editor.ts';
import { changeRole, restoreEditor, withdrawInvitation } from './change-role.ts';
import { readEditors } from './read-editors.ts';

/** Routes for an organization's editors and for admins (§6). All team members can remove themselves. */
export async function editorRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'readEditors', {
    action: 'editors.read',
    handle: ({ actor, params }) => {
      const isManager = can(actor, 'editors.manage', { orgId: params.orgid });
      return readEditors(deps, params.orgid, isManager ? undefined : requireSignedIn(actor).userId);
    },
  });
  registerCall(app, deps, 'addEditor', {
    action: 'editors.manage',
    requirement: 'recent-confirmation',
    handle: async ({ actor, params, body, request }) => {
      const invitedBy = requireSignedIn(actor).userId;
      const { email, role = 'editor' } = body;
      return addEditor(deps, { orgId: params.orgid, email, role, invitedBy, ipAddress: request.ip });
    },
  });
  const setRole = (
    actor: Actor,
    { orgid: orgId, userid: userId }: { orgid: string; userid: string },
    role: Role | null,
  ) =>
    changeRole(deps, {
      orgId,
      userId,
      actorId: requireSignedIn(actor).userId,
      isByAdmin: can(actor, 'users.manage'),
      role,
    });
  registerCall(app, deps, 'changeEditor', {
    action: 'editors.manage',
    requirement: 'recent-confirmation',
    handle: async ({ actor, params, body }) => setRole(actor, params, body.role),
  });
  registerCall(app, deps, 'removeEditor', {
    action: 'editors.remove',
    subject: ({ orgid: orgId, userid: userId }) => ({ orgId, ownerId: userId }),
    requirement: 'recent-confirmation',
    handle: async ({ actor, params }) => setRole(actor, params, null),
  });
  registerCall(app, deps, 'restoreEditor', {
    action: 'editors.manage',
    requirement: 'recent-confirmation',
    handle: ({ actor, params }) =>
      restoreEditor(deps, {
        orgId: params.orgid,
        userId: params.userid,
        actorId: requireSignedIn(actor).userId,
        isByAdmin: can(actor, 'users.manage'),
      }),
  });
  registerCall(app, deps, 'withdrawInvitation', {
    action: 'editors.manage',
    handle: ({ params }) => withdrawInvitation(deps, params.orgid, params.invitationid),
  });
}
