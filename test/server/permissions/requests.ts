import { CALLS, type CallName } from '#contract/calls.ts';
import { ROLES } from '#domain/permissions.ts';
import { CALL_ROWS } from './call-rows.ts';
import { type Caller, PLACES, type Place } from './callers.ts';

/** Error codes that hide whether the subject exists. */
export const REJECTION_CODES =
  /-not-found$|^forbidden$|^login-required$|^only-admins$|^second-factor-needed$|^email-unverified$|^token-invalid$/;

/** Places to try a call in. Calls outside organizations are tried once. */
export function placesOf(name: CallName): readonly Place[] {
  return CALLS[name].path.includes(':orgid') ? PLACES : ['own organization'];
}

/** Calls whose path identifies a resource in an organization. */
export const RESOURCE_CALLS = (Object.keys(CALLS) as CallName[]).filter((name) =>
  /:orgid\/.*:(?!page|name|month)\w+/.test(CALLS[name].path),
);

/** Roles, from least to most powerful. */
const CALLERS_BY_POWER: readonly Caller[] = ['visitor', 'signed in', 'owner', ...ROLES.toReversed(), 'admin'];

/** The least powerful caller who may make a call in their own organization. */
export function leastPowerfulCaller(name: CallName): Caller {
  const outcomes = CALL_ROWS[name].outcomes('own organization');
  const caller = CALLERS_BY_POWER.find((candidate) => outcomes[candidate] === 'done');
  if (!caller) throw new Error(`Nobody may make the call ${name}.`);
  return caller;
}

/** The rejected caller that is most similar to the least powerful allowed caller. */
export function closestForbiddenCaller(name: CallName): Caller {
  const outcomes = CALL_ROWS[name].outcomes('own organization');
  const allowedCaller = leastPowerfulCaller(name);
  const otherOrgRoles = ROLES.filter((role) => role === allowedCaller).map(
    (role): Caller => `${role} of another organization`,
  );
  const callers: readonly Caller[] = [...otherOrgRoles, 'unverified', 'visitor', 'tampered token'];
  const caller = callers.find((candidate) => outcomes[candidate] !== 'done');
  if (!caller) throw new Error(`Everybody may make the call ${name}.`);
  return caller;
}
