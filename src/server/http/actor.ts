import type { FastifyRequest } from 'fastify';
import { Failure } from '#domain/failures.ts';
import { type Action, type Actor, can, type Subject, VISITOR } from '#domain/permissions.ts';
import type { Identity } from '#server/gateways/identity/identity.ts';

/**
 * Who calls: the bearer of the identity token, or a visitor where there is none. A cookie acts for nobody (decisions §6).
 * @throws Failure token-invalid
 */
export async function actorOf(request: FastifyRequest, identity: Identity): Promise<Actor> {
  const header = request.headers.authorization;
  if (header === undefined) return VISITOR;
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(header)?.[1];
  const actor = token ? await identity.actorOf(token) : undefined;
  if (!actor) throw new Failure('token-invalid');
  return actor;
}

/** Asks the permission table. @throws Failure forbidden */
export function permit(actor: Actor, action: Action, subject: Subject): void {
  if (!can(actor, action, subject)) throw new Failure('forbidden');
}
