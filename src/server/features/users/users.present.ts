import type { Authorization, User } from '#contract/schemas/users.ts';
import { harmlessName } from '#domain/names.ts';
import type { OrgRoles } from '#domain/permissions.ts';
import type { UserRow } from '#server/users/find-user.ts';

/** Where the contract's name differs from the table's. */
const PROVIDERS: Readonly<Record<string, string>> = { credential: 'password' };

/** For that user and admins only (§3). */
export function presentUser(row: UserRow, providers: readonly string[] = []): User {
  return {
    id: row.id,
    email: row.email,
    displayName: harmlessName(row.display_name),
    photoURL: row.photo_url,
    admin: row.admin,
    emailVerified: row.email_verified,
    isAnonymous: row.is_anonymous,
    providerData: providers.map((provider) => ({ providerId: PROVIDERS[provider] ?? provider })),
    createdTimestamp: row.created_at.toISOString(),
  };
}

export function presentAuthorization(row: UserRow, roles: OrgRoles): Authorization {
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified,
    displayName: harmlessName(row.display_name),
    admin: row.admin,
    roles,
  };
}
