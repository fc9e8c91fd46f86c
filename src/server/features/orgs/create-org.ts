import type { Transaction } from 'kysely';
import { RESERVED_SLUGS } from '#contract/pages.ts';
import type { NewOrg } from '#contract/schemas/orgs.ts';
import { Failure } from '#domain/failures.ts';
import { chosenNameFailure, placeFailure } from '#domain/names.ts';
import { tidyTag } from '#domain/org.ts';
import { emailFailure } from '#domain/profile.ts';
import { slugFailure, tagFailure } from '#domain/site-failures.ts';
import { isUniqueViolation } from '#server/db/error-codes.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { appointEditor } from '#server/features/editors/add-editor.ts';
import { aboutField } from '#server/http/problems.ts';
import { hasOrg, insertOrg } from './orgs.store.ts';

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;

/**
 * Creates an organization with its first editor, who is invited by mail if the email has no account.
 * @returns Failure slug-taken, or for an invalid field
 */
export async function createOrg(deps: Deps, org: NewOrg, createdBy: string): Promise<{ id: string } | Failure> {
  const refusal = refusalOf(org);
  if (refusal) return refusal;
  const { name, slug, tag, place = '', email } = org;
  return orSlugTaken(slug, () =>
    inTransaction(deps.db, async (tx) => {
      const id = await freeId(tx, slug);
      const at = deps.now();
      const texts = { name: name.trim(), tag: tidyTag(tag), place: place.trim() };
      const row = { id, slug, ...texts, created_at: at, stats_updated_at: at };
      await insertOrg(tx, row);
      const appointed = await appointEditor(tx, deps, { orgId: id, email, role: 'editor', invitedBy: createdBy });
      // Cannot fail for an organization without editors; if it does, nothing is created.
      if (appointed instanceof Failure) throw appointed;
      return { id };
    }),
  );
}

function refusalOf({ name, slug, tag, place = '', email }: NewOrg): Failure | undefined {
  return (
    aboutField('name', chosenNameFailure(name)) ??
    aboutField('slug', slugFailure(slug, RESERVED_SLUGS)) ??
    aboutField('tag', tagFailure(tag)) ??
    aboutField('place', placeFailure(place)) ??
    aboutField('email', emailFailure(email))
  );
}

/** The permanent id in its addresses: the first slug, with a suffix if an older organization has it as its id. */
async function freeId(tx: Transaction<Tables>, slug: string): Promise<string> {
  return (await hasOrg(tx, slug)) ? `${slug}-${newId().slice(0, 6)}` : slug;
}

/** @returns Failure slug-taken if `work` fails because another organization has the slug */
export async function orSlugTaken<T>(slug: string, work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    // Of two created at the same time with the same slug, the second also has the same id.
    if (isUniqueViolation(error, 'orgs_slug_key') || isUniqueViolation(error, 'orgs_pkey'))
      return new Failure('slug-taken', { slug, field: 'slug' });
    throw error;
  }
}
