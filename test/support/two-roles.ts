import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { deferCleanup } from './defer-cleanup.ts';
import { runStatements } from './postgres-server.ts';

/** The addresses of a database for an owner who isn't a superuser, and for the program's role. */
export type TwoRoles = { readonly ownerUrl: string; readonly appUrl: string };

/** Creates an empty PostgreSQL database with both roles, set up as described in docs/money.md. */
export async function createTwoRoles(): Promise<TwoRoles> {
  const id = randomUUID().replaceAll('-', '');
  const [name, owner, program] = [`roles_${id}`, `owner_${id}`, `program_${id}`];
  await runAsSuperuser(
    `create role ${owner} login password 'of the owner'`,
    `create role ${program} login password 'of the program'`,
    `grant ${program} to ${owner}`,
    `create database ${name} owner ${owner}`,
  );
  deferCleanup(() =>
    runAsSuperuser(`drop database ${name} with (force)`, `drop role ${program}`, `drop role ${owner}`),
  );
  const buildRoleUrl = (username: string, password: string) =>
    Object.assign(new URL(inject('postgresUrl')), { username, password, pathname: `/${name}` }).href;
  return { ownerUrl: buildRoleUrl(owner, 'of the owner'), appUrl: buildRoleUrl(program, 'of the program') };
}

async function runAsSuperuser(...statements: readonly string[]): Promise<void> {
  await runStatements(inject('postgresUrl'), ...statements);
}
