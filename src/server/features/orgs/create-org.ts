import type { Transaction } from 'kysely';
import { RESERVED_SLUGS } from '#contract/pages.ts';
import type { NewOrg } from '#contract/schemas/orgs.ts';
import { Failure } from '#domain/failures.ts';
import { slugFailure, tagFailure, tidyTag } from '#domain/org.ts';
import { emailFailure, nameFailure } from '#domain/profile.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { isUniqueViolation } from '#server/db/violations.ts';
import type { AppDeps } from '#server/deps.ts';
import { appointEditor } from '#server/features/editors/add-editor.ts';
import { aboutField } from '#server/http/field-failure.ts';
import { newId } from '#server/ids.ts';
import { hasOrg, insertOrg } from './orgs.store.ts';

type Deps = Pick<AppDeps, 'db' | 'jobs' | 'now'>;

/**
 * Makes an organisation, with its first editor: at once where the address has an account, else by an invitation.
 * @returns Failure slug-taken, or what is wrong with a field
 */
export async function createOrg(deps: Deps, org: NewOrg, createdBy: string): Promise<{ id: string } | Failure> {
  const refusal = refusalOf(org);
  if (refusal) return refusal;
  const { name, slug, tag, email } = org;
  return orSlugTaken(slug, () =>
    inTransaction(deps.db, async (tx) => {
      const id = await freeId(tx, slug);
      const at = deps.now();
      const row = { id, slug, name: name.trim(), tag: tidyTag(tag), created_at: at, stats_updated_at: at };
      await insertOrg(tx, row);
      const appointed = await appointEditor(tx, deps, { orgId: id, email, invitedBy: createdBy });
      // Nobody edits it yet, so nothing can stand in the way; if it does, nothing is made.
      if (appointed instanceof Failure) throw appointed;
      return { id };
    }),
  );
}

/** The first thing that is wrong, naming the field. */
function refusalOf({ name, slug, tag, email }: NewOrg): Failure | undefined {
  return (
    aboutField('name', nameFailure(name)) ??
    aboutField('slug', slugFailure(slug, RESERVED_SLUGS)) ??
    aboutField('tag', tagFailure(tag)) ??
    aboutField('email', emailFailure(email))
  );
}

/**
 * The id that its addresses carry for good: the slug that it begins with, so that people can read them. Where an older
 * organisation has that id, which has another slug by now, something is added.
 */
async function freeId(tx: Transaction<Tables>, slug: string): Promise<string> {
  return (await hasOrg(tx, slug)) ? `${slug}-${newId().slice(0, 6)}` : slug;
}

/** Does what gives an organisation a slug. @returns Failure slug-taken where another one has it */
export async function orSlugTaken<T>(slug: string, work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    // Of two that begin with the same slug at once, the second has the first one's id too.
    if (isUniqueViolation(error, 'orgs_slug_key') || isUniqueViolation(error, 'orgs_pkey'))
      return new Failure('slug-taken', { slug, field: 'slug' });
    throw error;
  }
}
