import type { Database } from '#server/db/connection.ts';
import type { StoredPhoto } from '#server/db/tables.ts';
import { type OrgRow, orgById, orgBySlug, orgVersion } from './orgs.store.ts';

/** The few things that every other feature asks of an organisation. */
export type OrgFacts = {
  readonly id: string;
  readonly name: string;
  readonly tag: string;
  readonly photo: StoredPhoto | null;
  readonly noAwardees: boolean;
  readonly reviewStories: boolean;
};

export async function findOrg(db: Database, id: string): Promise<OrgFacts | undefined> {
  return factsOf(await orgById(db, id));
}

export async function findOrgBySlug(db: Database, slug: string): Promise<OrgFacts | undefined> {
  return factsOf(await orgBySlug(db, slug));
}

/** Which version of the organisation holds; nothing where there is no such organisation. */
export function versionOf(db: Database, id: string): Promise<number | undefined> {
  return orgVersion(db, id);
}

function factsOf(row: OrgRow | undefined): OrgFacts | undefined {
  return (
    row && {
      id: row.id,
      name: row.name,
      tag: row.tag,
      photo: row.photo,
      noAwardees: row.no_awardees,
      reviewStories: row.review_stories,
    }
  );
}
