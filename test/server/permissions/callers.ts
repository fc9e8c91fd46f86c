import { ROLES, type Role } from '#domain/permissions.ts';
import { RUNS_ALL } from '#scripts/test/test-selection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { setSecondFactorTime } from '#server/features/second-factors/second-factors.store.ts';
import { openSession } from '#server/features/sessions/session-lifecycle.ts';
import { createIdentity } from '#server/gateways/identity/create-identity.ts';
import { HOUR } from '#test/support/clock.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { createPendingLoginCookie } from '#test/support/second-factors.ts';
import { createEmailLogin, type PersonParts, type SignedInPerson, signIn } from '#test/support/sign-in.ts';

type RoleCaller = Role | `${Role} of another organization`;

/**
 * Every kind of caller (§6, decisions §4). Callers that lack one privilege have all others: the unverified user and
 * callers with an invalid token or only a cookie own the subject, edit the organization, and are admins.
 */
export const CALLERS = [
  'visitor',
  'cookie alone',
  'signed in',
  'unverified',
  'owner',
  ...ROLES.flatMap((role): RoleCaller[] => [role, `${role} of another organization`]),
  'admin',
  'admin without second factor',
  'editor without second factor',
  'pending login',
  'expired token',
  'tampered token',
] as const;

export type Caller = (typeof CALLERS)[number];

/**
 * Callers for routes that are the same for everyone, and for calls whose outcome depends on the owner. The quick run uses
 * one of each kind, and checks the other callers of a call in memory.
 */
export const SAMPLED_CALLERS: readonly Caller[] = RUNS_ALL
  ? CALLERS
  : ['visitor', 'cookie alone', 'owner', 'editor', 'admin', 'pending login', 'expired token', 'tampered token'];

/** Two organizations with the same contents: the caller's and another. */
export const PLACES = ['own organization', 'other organization'] as const;
export type Place = (typeof PLACES)[number];

export type Orgs = Readonly<Record<Place, string>>;

/** Returns the caller with a role in this organization. */
export function roleCaller(role: Role, place: Place): RoleCaller {
  return place === 'own organization' ? role : `${role} of another organization`;
}

/** A caller's headers, and the user if there is one. */
export type Credentials = {
  readonly headers: Readonly<Record<string, string>>;
  readonly person: SignedInPerson | undefined;
};

export async function createCredentials(deps: AppDeps, caller: Caller, orgs: Orgs): Promise<Credentials> {
  const allPrivileges = { admin: true, editorOf: Object.values(orgs) };
  if (isRoleCaller(caller)) return signInCaller(deps, rolePersonParts(caller, orgs));
  switch (caller) {
    case 'visitor':
      return { headers: {}, person: undefined };
    case 'cookie alone': {
      const { person } = await signInCaller(deps, allPrivileges);
      const { secret } = await inTransaction(deps.db, (tx) =>
        openSession(tx, createEmailLogin(person.userId), deps.now()),
      );
      const cookies = await deps.identity.cookies.set(secret);
      return { headers: { cookie: cookies.map((line) => line.split(';')[0]).join('; ') }, person };
    }
    case 'signed in':
    case 'owner':
      return signInCaller(deps, {});
    case 'unverified':
      return signInCaller(deps, { ...allPrivileges, verified: false });
    case 'admin':
      return signInCaller(deps, { admin: true });
    case 'admin without second factor':
      return signInCaller(deps, { admin: true }, false);
    case 'editor without second factor':
      return signInCaller(deps, { editorOf: [orgs['own organization']] }, false);
    case 'pending login': {
      const { person } = await signInCaller(deps, allPrivileges);
      return { headers: { cookie: await createPendingLoginCookie(deps, person.userId) }, person: undefined };
    }
    case 'expired token':
      return signInCaller(withPastClock(deps), allPrivileges);
    case 'tampered token':
      return tamperWithToken(await signInCaller(deps, allPrivileges));
  }
}

function isRoleCaller(caller: Caller): caller is RoleCaller {
  return ROLES.some((role) => PLACES.some((place) => roleCaller(role, place) === caller));
}

function rolePersonParts(caller: RoleCaller, orgs: Orgs): PersonParts {
  const place = PLACES.find((candidate) => ROLES.some((role) => roleCaller(role, candidate) === caller)) ?? PLACES[0];
  const role = ROLES.find((candidate) => roleCaller(candidate, place) === caller);
  return { editorOf: [orgs[place]], role };
}

/** Admins and editors need a second factor and have used one unless the caller's name says otherwise. */
async function signInCaller(
  deps: AppDeps,
  parts: PersonParts,
  hasSecondFactor = true,
): Promise<Credentials & { person: SignedInPerson }> {
  const person = await signIn(deps, parts);
  if (hasSecondFactor)
    await inTransaction(deps.db, (tx) => setSecondFactorTime(tx, { userId: person.userId }, deps.now()));
  return { headers: { authorization: person.headers.authorization }, person };
}

/** Returns deps whose clock is more than an hour behind, so tokens signed with them have already expired. */
function withPastClock(deps: AppDeps): AppDeps {
  const now = () => new Date(deps.now().getTime() - HOUR - 1000);
  const { db, publicUrl } = deps;
  return { ...deps, now, identity: createIdentity({ db, publicUrl, now, log: createLogSpy().log }) };
}

/** Returns credentials whose token has one forged claim. */
function tamperWithToken({ headers, person }: Credentials): Credentials {
  const [header, payload = '', signature] = (headers.authorization ?? '').split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const forgedPayload = Buffer.from(JSON.stringify({ ...claims, admin: 'true' })).toString('base64url');
  return { headers: { authorization: `${header}.${forgedPayload}.${signature}` }, person };
}
