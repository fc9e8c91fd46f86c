import type { FailureCode } from '#domain/failures.ts';
import { type Action, ROLES } from '#domain/permissions.ts';
import { roleAllows } from '#test/support/role-table.ts';
import { CALLERS, type Caller, type Place, roleCaller } from './callers.ts';

/** The outcome of a call: done, or its error code. */
export type Outcome = 'done' | FailureCode;
export type Outcomes = Readonly<Record<Caller, Outcome>>;

/** The outcome for each caller in each of the two organizations. */
export type Audience = (place: Place, action: Action) => Outcomes;

/** Every call rejects an invalid token, even calls that anyone may make. */
const INVALID_TOKEN_OUTCOMES = { 'expired token': 'token-invalid', 'tampered token': 'token-invalid' } as const;

/** Builds the outcome for each caller. Visitors must log in unless anyone may make the call. */
function buildOutcomes(defaultOutcome: Outcome, overrides: Partial<Outcomes>): Outcomes {
  const outcomesByCaller = Object.fromEntries(CALLERS.map((caller) => [caller, defaultOutcome])) as Outcomes;
  const visitor = defaultOutcome === 'done' ? 'done' : 'login-required';
  return { ...outcomesByCaller, visitor, 'cookie alone': visitor, ...INVALID_TOKEN_OUTCOMES, ...overrides };
}

/** Everyone except callers with an invalid token. */
export const anybody: Audience = () => buildOutcomes('done', {});

/** Everyone who is logged in, with a verified email or not. */
export const anybodySignedIn: Audience = () =>
  buildOutcomes('done', { visitor: 'login-required', 'cookie alone': 'login-required' });

/** Everyone who is logged in with a verified email. */
export const anybodyVerified: Audience = (place, action) => ({
  ...anybodySignedIn(place, action),
  unverified: 'email-unverified',
});

/** Admins. The unverified caller is also an admin. */
export const admins: Audience = () => buildOutcomes('forbidden', { admin: 'done', unverified: 'email-unverified' });

/** Roles that may do this in their own organization. Admins have no role automatically (decisions §4). */
export const roles: Audience = (place, action) =>
  buildOutcomes('forbidden', { unverified: 'email-unverified', ...roleOutcomes(action, place) });

/** Roles that may do this in their own organization, and admins (§6). */
export const rolesAndAdmins: Audience = (place, action) => ({
  ...admins(place, action),
  ...roleOutcomes(action, place),
});

/** The owner and admins. In the other organization the subject belongs to someone else. */
export const ownerAndAdmins: Audience = (place, action) =>
  place === 'own organization' ? { ...admins(place, action), owner: 'done' } : admins(place, action);

/** Admins. Everyone else gets the specification's message (§6). */
export const onlyAdmins: Audience = () =>
  buildOutcomes('only-admins', { admin: 'done', unverified: 'email-unverified' });

/** The user, with a verified email. */
export const verifiedUser: Audience = () =>
  buildOutcomes('forbidden', { owner: 'done', unverified: 'email-unverified' });

/** Callers who verified an address used in the request. */
export const ownerOfAddress: Audience = (place) =>
  buildOutcomes('forbidden', place === 'own organization' ? { owner: 'done' } : {});

/** The user, with a verified email or not. */
export const user: Audience = () => buildOutcomes('forbidden', { owner: 'done', unverified: 'done' });

/** The user and admins. */
export const userAndAdmins: Audience = () =>
  buildOutcomes('forbidden', { owner: 'done', unverified: 'done', admin: 'done' });

function roleOutcomes(action: Action, place: Place): Partial<Outcomes> {
  const allowedRoles = ROLES.filter((role) => roleAllows(role, action));
  return Object.fromEntries(allowedRoles.map((role) => [roleCaller(role, place), 'done']));
}

/** Treats a caller without a second factor like any logged-in user, except that the error names the missing factor. */
export function addSecondFactorOutcomes(outcomes: Outcomes): Outcomes {
  const signedInOutcome = outcomes['signed in'];
  const outcomeWithoutFactor = (caller: Caller, withFactor: Caller) => {
    if (outcomes[caller] !== signedInOutcome) return outcomes[caller];
    return outcomes[withFactor] === 'done' && signedInOutcome !== 'done' ? 'second-factor-needed' : signedInOutcome;
  };
  return {
    ...outcomes,
    'admin without second factor': outcomeWithoutFactor('admin without second factor', 'admin'),
    'editor without second factor': outcomeWithoutFactor('editor without second factor', 'editor'),
    'pending login': outcomes.visitor,
  };
}

/** Roles that may edit settings. Admins may change only the slug, and need a second factor for that. */
export const settingsEditors: Audience = (place) => ({
  ...roles(place, 'org.edit'),
  'admin without second factor': 'second-factor-needed',
});
