import type { FastifyRequest } from 'fastify';
import { Failure, type FailureCode } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import {
  type Action,
  type Actor,
  can,
  type SignedInUser,
  type Subject,
  VISITOR,
  withSecondFactor,
} from '#domain/permissions.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The user of the request's token, once it is verified. */
    userId: UserId | undefined;
  }
}

/**
 * Identifies the caller: the bearer of the identity token, or a visitor if there is no token. A cookie alone doesn't
 * authorize anything (decisions §6).
 * @throws Failure token-invalid
 */
export async function authenticateRequest(
  request: FastifyRequest,
  identity: Pick<Identity, 'findActor'>,
): Promise<Actor> {
  const header = request.headers.authorization;
  if (header === undefined) return VISITOR;
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1];
  const actor = token ? await identity.findActor(token) : undefined;
  if (!actor) throw new Failure('token-invalid');
  if (actor.kind === 'user') request.userId = actor.userId;
  return actor;
}

/** Failure codes for actions that don't use `forbidden` (§6). */
const DENIAL_CODES: Partial<Record<Action, FailureCode>> = { 'offsetter.delete': 'only-admins' };

/**
 * Checks the permission table.
 * @throws Failure login-required for visitors; forbidden or only-admins for users; email-unverified or
 * second-factor-needed if nothing else is missing
 */
export function requirePermission(actor: Actor, action: Action, subject: Subject): void {
  if (can(actor, action, subject)) return;
  if (actor.kind === 'visitor') throw new Failure('login-required');
  const verifiedActor: Actor = { ...actor, emailVerified: true };
  if (can(verifiedActor, action, subject)) throw new Failure('email-unverified');
  const onlyLacksSecondFactor = can(withSecondFactor(actor), action, subject);
  throw new Failure(onlyLacksSecondFactor ? 'second-factor-needed' : (DENIAL_CODES[action] ?? 'forbidden'));
}

/** @returns the logged-in caller @throws Failure login-required */
export function requireSignedIn(actor: Actor): SignedInUser {
  if (actor.kind === 'user') return actor;
  throw new Failure('login-required');
}
