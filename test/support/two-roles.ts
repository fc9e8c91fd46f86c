import { randomUUID } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import { runStatements } from './postgres-server.ts';

/** The addresses of a database for an owner who isn't a superuser, and for the program's role. */
export type TwoRoles = { readonly ownerUrl: string; readonly programUrl: string };

/** An empty database on PostgreSQL with both roles, set up as docs/money.md says. */
export async function twoRoles(): Promise<TwoRoles> {
  const id = randomUUID().replaceAll('-', '');
  const [name, owner, program] = [`roles_${id}`, `owner_${id}`, `program_${id}`];
  await asSuperuser(
    `create role ${owner} login password 'of the owner'`,
    `create role ${program} login password 'of the program'`,
    `grant ${program} to ${owner}`,
    `create database ${name} owner ${owner}`,
  );
  afterAll(() => asSuperuser(`drop database ${name} with (force)`, `drop role ${program}`, `drop role ${owner}`));
  const addressOf = (username: string, password: string) =>
    Object.assign(new URL(inject('postgresUrl')), { username, password, pathname: `/${name}` }).href;
  return { ownerUrl: addressOf(owner, 'of the owner'), programUrl: addressOf(program, 'of the program') };
}

async function asSuperuser(...statements: readonly string[]): Promise<void> {
  await runStatements(inject('postgresUrl'), ...statements);
}
