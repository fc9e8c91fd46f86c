import type { Transaction } from 'kysely';
import { RESERVED_SLUGS } from '#contract/reserved-slugs.ts';
import type { NewOrg } from '#contract/schemas/orgs.ts';
import { DEFAULT_TIME_ZONE, isTimeZone, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import type { UserId } from '#domain/ids.ts';
import { chosenNameFailure } from '#domain/names.ts';
import { normalizeTag } from '#domain/org.ts';
import { emailFailure } from '#domain/profile.ts';
import { placeFailure, slugFailure, tagFailure } from '#domain/site-failures.ts';
import { isUniqueViolation } from '#server/db/error-codes.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findHomeCity } from '#server/features/cities/search-cities.ts';
import { grantRoleOrInvite } from '#server/features/editors/add-editor.ts';
import { addField } from '#server/http/problems.ts';
import type { Log } from '#server/log.ts';
import { hasOrg, insertOrg } from './orgs.store.ts';

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now' | 'places'> & { readonly log: Log };

/**
 * Creates an organization with its first editor, who gets an invitation by email if the address has no account.
 * @param createdBy null for the operator's command
 * @returns Failure slug-taken, or for an invalid field
 */
export async function createOrg(deps: Deps, org: NewOrg, createdBy: UserId | null): Promise<{ id: string } | Failure> {
  const failure = newOrgFailure(org);
  if (failure) return failure;
  const { name, slug, tag, place = '', timeZone = DEFAULT_TIME_ZONE, email } = org;
  const homeCity = await findHomeCity(deps, place);
  return catchSlugTaken(slug, () =>
    inTransaction(deps.db, async (tx) => {
      const id = await findUnusedId(tx, slug);
      const time = deps.now();
      const texts = { name: name.trim(), tag: normalizeTag(tag), place: place.trim() };
      const home_city = homeCity && JSON.stringify(homeCity);
      const times = { time_zone: timeZone, created_at: time, stats_updated_at: time };
      await insertOrg(tx, { id, slug, ...texts, home_city, ...times });
      const editor = await grantRoleOrInvite(tx, deps, { orgId: id, email, role: 'editor', invitedBy: createdBy });
      // Can't happen in a new organization. Throwing rolls back the transaction.
      if (editor instanceof Failure) throw editor;
      return { id };
    }),
  );
}

function newOrgFailure({ name, slug, tag, place = '', timeZone, email }: NewOrg): Failure | undefined {
  return (
    addField('name', chosenNameFailure(name)) ??
    addField('slug', slugFailure(slug, RESERVED_SLUGS)) ??
    addField('tag', tagFailure(tag)) ??
    addField('place', placeFailure(place)) ??
    addField('timeZone', timeZoneFailure(timeZone)) ??
    addField('email', emailFailure(email))
  );
}

/** @returns Failure time-zone-unknown */
export function timeZoneFailure(zone: TimeZone | undefined): Failure | undefined {
  return zone === undefined || isTimeZone(zone) ? undefined : new Failure('time-zone-unknown');
}

/** Finds the organization's permanent id: its first slug, with a suffix if an older organization has that id. */
async function findUnusedId(tx: Transaction<Tables>, slug: string): Promise<string> {
  return (await hasOrg(tx, slug)) ? `${slug}-${newId().slice(0, 6)}` : slug;
}

/** @returns Failure slug-taken if `work` fails because another organization has the slug */
export async function catchSlugTaken<T>(slug: string, work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    // Two organizations created concurrently with the same slug also have the same id.
    if (isUniqueViolation(error, 'orgs_slug_key') || isUniqueViolation(error, 'orgs_pkey'))
      return new Failure('slug-taken', { slug, field: 'slug' });
    throw error;
  }
}
