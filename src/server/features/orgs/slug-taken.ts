import { Failure } from '#domain/failures.ts';
import { isUniqueViolation } from '#server/db/violations.ts';

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
