import type { FastifyRequest } from 'fastify';
import { Failure, type FailureCode } from '#domain/failures.ts';
import { type Action, type Actor, type Bearer, can, isFresh, type Subject, VISITOR } from '#domain/permissions.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';

/**
 * Who calls: the bearer of the identity token, or a visitor where there is none. A cookie acts for nobody (decisions §6).
 * @throws Failure token-invalid
 */
export async function actorOf(request: FastifyRequest, identity: Pick<Identity, 'actorOf'>): Promise<Actor> {
  const header = request.headers.authorization;
  if (header === undefined) return VISITOR;
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1];
  const actor = token ? await identity.actorOf(token) : undefined;
  if (!actor) throw new Failure('token-invalid');
  return actor;
}

/** What is refused in words of its own (§6). */
const REFUSALS: Partial<Record<Action, FailureCode>> = { 'offsetter.delete': 'only-admins' };

/**
 * Asks the permission table.
 * @throws Failure forbidden or only-admins; email-unverified where a proof of the address is all that is missing
 */
export function permit(actor: Actor, action: Action, subject: Subject): void {
  if (can(actor, action, subject)) return;
  const proven: Actor = actor.kind === 'user' ? { ...actor, emailVerified: true } : actor;
  throw new Failure(can(proven, action, subject) ? 'email-unverified' : (REFUSALS[action] ?? 'forbidden'));
}

/** The person who calls, in a call that the table lets nobody else make. @throws Failure forbidden */
export function signedIn(actor: Actor): Bearer {
  if (actor.kind === 'user') return actor;
  throw new Failure('forbidden');
}

/** For what is changed with a fresh token alone (§9, decisions §4). @throws Failure token-stale */
export function requireFresh(actor: Actor, now: Date): void {
  if (!isFresh(actor, now)) throw new Failure('token-stale');
}
