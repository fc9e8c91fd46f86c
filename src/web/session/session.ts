import type { InactivePermissions, OrgRoles } from '#domain/permissions.ts';

/** The logged-in user (§3). The server checks permissions again on every call. */
export type Session = {
  readonly authenticated: boolean;
  /** False until the session has been restored. */
  readonly initialized: boolean;
  /** new: logged in, but the profile could not be loaded (§4). */
  readonly status: 'visitor' | 'user' | 'new';
  /** The identity token, kept in memory only; '' for a visitor. */
  readonly idToken: string;
  readonly uid: string;
  readonly email: string;
  readonly displayName: string;
  readonly photoURL: string;
  readonly admin: boolean;
  readonly emailVerified: boolean;
  readonly isAnonymous: boolean;
  /** The login methods that the person has used. */
  readonly providerData: readonly { readonly providerId: string }[];
  /** True while the email is unverified. */
  readonly hasNotifications: boolean;
  readonly roles: OrgRoles;
  /** Roles that have no effect until a second factor is used. */
  readonly inactivePermissions?: InactivePermissions | undefined;
};

/** A session that is not loaded yet; with `initialized`, the session without a user (§4). */
export const SIGNED_OUT: Session = {
  authenticated: false,
  initialized: false,
  status: 'visitor',
  idToken: '',
  uid: '',
  email: '',
  displayName: '',
  photoURL: '',
  admin: false,
  emailVerified: false,
  isAnonymous: true,
  providerData: [],
  hasNotifications: false,
  roles: {},
};
