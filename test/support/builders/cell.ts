import type { Insertable } from 'kysely';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';

/** Adds a page text to an organization, as if an editor had saved it. */
export async function addCell(
  db: Database,
  orgId: string,
  cell: Pick<Insertable<Tables['cells']>, 'page' | 'name'> & Partial<Insertable<Tables['cells']>>,
): Promise<void> {
  const text = { org_id: orgId, markdown: 'Our **own** text.', html: '<p>Our <strong>own</strong> text.</p>' };
  await db.kysely
    .insertInto('cells')
    .values({ ...text, ...cell })
    .execute();
}
