import type { FailureCode } from '#domain/failures.ts';
import { CALLERS, type Caller, type Place } from './callers.ts';

/** What a call answers: done, or refused by this name. */
export type Outcome = 'done' | FailureCode;
export type Outcomes = Readonly<Record<Caller, Outcome>>;

/** Who may, in each of the two organizations. */
export type Audience = (place: Place) => Outcomes;

/** A token that is not valid is refused by every call, also by those that anybody may make. */
const NO_TOKEN = { 'expired token': 'token-invalid', 'tampered token': 'token-invalid' } as const;

/** Visitors are asked to log in wherever others are refused. */
function outcomes(common: Outcome, others: Partial<Outcomes>): Outcomes {
  const all = Object.fromEntries(CALLERS.map((caller) => [caller, common])) as Outcomes;
  const visitor = common === 'done' ? 'done' : 'login-required';
  return { ...all, visitor, 'cookie alone': visitor, ...NO_TOKEN, ...others };
}

/** Everybody, a token that is worth nothing excepted. */
export const anybody: Audience = () => outcomes('done', {});

/** Whoever has signed in, whether the address is proven or not. */
export const anybodySignedIn: Audience = () =>
  outcomes('done', { visitor: 'login-required', 'cookie alone': 'login-required' });

/** Admins. The unverified one would be one. */
export const admins: Audience = () => outcomes('forbidden', { admin: 'done', unverified: 'email-unverified' });

/** Editors of the very organization: an admin is none by that alone (decisions §4). */
export const editors: Audience = (place) =>
  outcomes('forbidden', { unverified: 'email-unverified', [editorIn(place)]: 'done' });

/** Editors of the very organization, and admins (§6). */
export const editorsAndAdmins: Audience = (place) => ({ ...admins(place), [editorIn(place)]: 'done' });

/** The owner, and admins. In the other organization the thing is somebody else's. */
export const ownerAndAdmins: Audience = (place) =>
  place === 'own organization' ? { ...admins(place), owner: 'done' } : admins(place);

/** Admins, with the specification's own words for everybody else (§6). */
export const onlyAdmins: Audience = () => outcomes('only-admins', { admin: 'done', unverified: 'email-unverified' });

/** Oneself, with a proven address. */
export const oneselfProven: Audience = () => outcomes('forbidden', { owner: 'done', unverified: 'email-unverified' });

/** Oneself, also while the address is not proven. */
export const oneself: Audience = () => outcomes('forbidden', { owner: 'done', unverified: 'done' });

/** Oneself, and admins. */
export const oneselfAndAdmins: Audience = () =>
  outcomes('forbidden', { owner: 'done', unverified: 'done', admin: 'done' });

function editorIn(place: Place): Caller {
  return place === 'own organization' ? 'editor' : 'editor of another organization';
}
