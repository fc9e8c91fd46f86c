import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createCaches } from '#server/db/caches.ts';
import type { Database } from '#server/db/connection.ts';
import type { AppDeps } from '#server/deps.ts';
import { type OrgFacts, toOrgFacts } from '#server/entities/find-org.ts';

const doNothing = async () => {};

/** An unreachable database for tests that never use one. */
export function createUnreachableDatabase(): Database {
  const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
  return {
    pool,
    kysely: new Kysely({ dialect: new PostgresDialect({ pool }) }),
    isEmbedded: false,
    caches: createCaches(),
    listen: async () => () => {},
    changes: {
      announce: doNothing,
      poll: doNothing,
      notify: doNothing,
      subscribe: async () => () => {},
      close: doNothing,
    },
    availability: { isDown: () => false, check: async () => false, subscribe: () => {} },
    close: () => pool.end(),
  };
}

/** Finds an organization for any id, for calls that are rejected before they read more. */
export const findAnyOrg: AppDeps['findOrg'] = async (id) => createAnyOrg(id);

export function createAnyOrg(id: string): OrgFacts {
  const createdAt = new Date('2026-03-14T09:30:00Z');
  return toOrgFacts({
    id,
    slug: id,
    name: 'Sample',
    tag: 'Sample',
    place: '',
    home_city: null,
    typical_grant_cents: null,
    factors: null,
    dismissed_steps: [],
    photo: null,
    time_zone: 'UTC',
    currency: 'usd',
    version: 1,
    no_awardees: false,
    takes_applications: true,
    review_stories: false,
    editors_need_second_factor: false,
    is_sample: false,
    created_at: createdAt,
    stats_updated_at: createdAt,
    stats_changed_at: null,
    delta_carbon: 0,
    delta_gas: 0,
    delta_cents: 0,
    delta_grants: 0,
  });
}
