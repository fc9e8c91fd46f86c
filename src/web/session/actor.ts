import { type Action, type Actor, can, VISITOR } from '#domain/permissions.ts';
import { useSession } from './app-context.ts';
import type { Session } from './session.ts';

/**
 * The session's user as an actor for the permission table. Kept in a separate file, so that visitors don't load the
 * table.
 */
export function toActor({
  authenticated,
  uid,
  admin,
  emailVerified,
  roles,
  inactivePermissions,
}: Pick<Session, 'authenticated' | 'uid' | 'admin' | 'emailVerified' | 'roles' | 'inactivePermissions'>): Actor {
  if (!authenticated) return VISITOR;
  const [sessionId, epoch] = ['', new Date(0)];
  const session = {
    sessionId,
    issuedAt: epoch,
    authenticatedAt: epoch,
    hasStaleToken: false,
    hasSecondFactor: false,
  };
  return { kind: 'user', userId: uid, ...session, admin, emailVerified, roles, inactivePermissions };
}

/** A user's permissions in an organization. */
export type Can = (action: Action) => boolean;

export function getPermissions(session: Session, orgId: string): Can {
  const actor = toActor(session);
  return (action) => can(actor, action, { orgId });
}

/** The user's permissions in an organization. Pages use it to hide actions that the server would reject. */
export function useCan(orgId: string): Can {
  return getPermissions(useSession(), orgId);
}
