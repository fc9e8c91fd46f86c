import { CALLS, type CallName } from '#contract/calls.ts';
import { ROLES } from '#domain/permissions.ts';
import { CALL_ROWS } from './call-rows.ts';
import { type Caller, PLACES, type Place } from './callers.ts';

/** Error codes that hide whether the subject exists. */
export const REJECTED =
  /-not-found$|^forbidden$|^login-required$|^only-admins$|^second-factor-needed$|^email-unverified$|^token-invalid$/;

/** Calls outside organizations are tried once. */
export function placesOf(name: CallName): readonly Place[] {
  return CALLS[name].path.includes(':orgid') ? PLACES : ['own organization'];
}

/** Calls whose path names something in an organization. */
export const THING_CALLS = (Object.keys(CALLS) as CallName[]).filter((name) =>
  /:orgid\/.*:(?!page|name)\w+/.test(CALLS[name].path),
);

/** Roles, from least to most powerful. */
const BY_POWER: readonly Caller[] = ['visitor', 'signed in', 'owner', ...ROLES.toReversed(), 'admin'];

/** The least powerful caller who may make a call in their own organization. */
export function leastAllowed(name: CallName): Caller {
  const outcomes = CALL_ROWS[name].may('own organization');
  const caller = BY_POWER.find((each) => outcomes[each] === 'done');
  if (!caller) throw new Error(`Nobody may make the call ${name}.`);
  return caller;
}

/** The caller who is rejected in their own organization and differs least from the one who is allowed. */
export function closestForbidden(name: CallName): Caller {
  const outcomes = CALL_ROWS[name].may('own organization');
  const allowedOutcome = leastAllowed(name);
  const inOtherOrg = ROLES.filter((role) => role === allowedOutcome).map(
    (role): Caller => `${role} of another organization`,
  );
  const callers: readonly Caller[] = [...inOtherOrg, 'unverified', 'visitor', 'tampered token'];
  const caller = callers.find((each) => outcomes[each] !== 'done');
  if (!caller) throw new Error(`Everybody may make the call ${name}.`);
  return caller;
}
