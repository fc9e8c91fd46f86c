import type { Authorization, User } from '#contract/schemas/users.ts';
import { harmlessName } from '#domain/names.ts';
import type { OrgRoles } from '#domain/permissions.ts';
import type { UserRow } from '#server/entities/find-user.ts';

/** Where the contract's name differs from the table's. */
const PROVIDERS: Readonly<Record<string, string>> = { credential: 'password' };

const SECOND_FACTORS = ['passkey', 'authenticator'] as const;

/**
 * For that user and admins only (§3).
 * @param ways how the user logs in, and shows that in a second step
 */
export function presentUser(row: UserRow, ways: readonly string[] = []): User {
  const secondFactors = SECOND_FACTORS.filter((each) => ways.includes(each));
  const providers = ways.filter((way) => !secondFactors.some((each) => each === way));
  return {
    id: row.id,
    email: row.email,
    displayName: harmlessName(row.display_name),
    photoURL: row.photo_url,
    admin: row.admin,
    emailVerified: row.email_verified,
    isAnonymous: row.is_anonymous,
    providerData: providers.map((provider) => ({ providerId: PROVIDERS[provider] ?? provider })),
    secondFactors,
    secondFactorsEndTimestamp: row.second_factor_ends_at?.toISOString() ?? null,
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
