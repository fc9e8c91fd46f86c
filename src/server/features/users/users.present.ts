import type { Authorization, User } from '#contract/schemas/users.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import type { OrgRoles } from '#domain/permissions.ts';
import type { UserRow } from '#server/entities/find-user.ts';

/** Names of sign-in methods in the API, if they differ from the table. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { credential: 'password' };

const SECOND_FACTORS = ['passkey', 'authenticator'] as const;

/**
 * Presents a user. Only the user and admins may see it (§3).
 * @param loginMethods sign-in providers and second factors
 */
export function presentUser(row: UserRow, loginMethods: readonly string[] = []): User {
  const secondFactors = SECOND_FACTORS.filter((factor) => loginMethods.includes(factor));
  const providers = loginMethods.filter((method) => !secondFactors.some((factor) => factor === method));
  return {
    id: row.id,
    email: row.email,
    displayName: makeDisplaySafe(row.display_name),
    photoURL: row.photo_url,
    admin: row.admin,
    emailVerified: row.email_verified,
    isAnonymous: row.is_anonymous,
    providerData: providers.map((provider) => ({ providerId: PROVIDER_NAMES[provider] ?? provider })),
    secondFactors,
    secondFactorRemovalTimestamp: row.second_factor_removal_at?.toISOString() ?? null,
    createdTimestamp: row.created_at.toISOString(),
  };
}

export function presentAuthorization(row: UserRow, roles: OrgRoles): Authorization {
  return {
    id: row.id,
    email: row.email,
    emailVerified: row.email_verified,
    displayName: makeDisplaySafe(row.display_name),
    admin: row.admin,
    roles,
  };
}
