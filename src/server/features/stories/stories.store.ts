import { sql } from 'kysely';
import type { Decimal } from '#domain/decimal.ts';
import type { OrgId } from '#domain/ids.ts';
import { STORED_DECIMALS, type TenThousandthsOfPound } from '#domain/money.ts';
import type { ShownAs } from '#domain/profile.ts';
import type { Database } from '#server/db/connection.ts';
import { findNeighbors, type Neighbors, type PageRequest, readPage } from '#server/db/keyset.ts';
import { isInPaymentMode } from '#server/db/payment-mode.ts';
import type { StoryKind } from '#server/entities/present-profile.ts';
import { OFFSETTER_COLUMNS, type StoryRow } from '#server/entities/profile-fields.ts';

/** Reads the public stories of one kind. */
export type StoryStore = {
  list(orgId: OrgId, page: PageRequest): Promise<StoryRow[]>;
  find(orgId: OrgId, id: string): Promise<StoryRow | undefined>;
  /** In the order of the list, newest first: previous is newer, next is older (decisions §5). */
  findNeighbors(orgId: OrgId, id: string): Promise<Neighbors<StoryRow>>;
};

export function createStoryStore(db: Database, kind: StoryKind): StoryStore {
  switch (kind) {
    case 'offsetter':
      return createOffsetterStore(db);
    case 'awardee':
      return createPublishedStore(db, 'awardees');
    case 'installer':
      return createPublishedStore(db, 'installers');
  }
}

function createOffsetterStore(db: Database): StoryStore {
  const publishedStories = db.kysely
    .selectFrom('offsetters')
    .select(OFFSETTER_COLUMNS)
    .where('status', '=', 'published')
    .where('shown_as', '<>', 'none');
  return {
    list: (orgId, page) => readPage(publishedStories, 'offsetters', page, orgId),
    find: (orgId, id) => publishedStories.where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst(),
    findNeighbors: (orgId, id) => findNeighbors(publishedStories, 'offsetters', { id, order: 'desc' }, orgId),
  };
}

/** Sums the pounds of an offsetter's gifts minus returns, in the current payment mode. */
export async function sumPounds(db: Database, orgId: OrgId, offsetterId: string): Promise<Decimal> {
  const { rows } = await sql<{ carbon: TenThousandthsOfPound }>`
    select coalesce(sum(e.carbon), 0)::int8 as carbon
    from checkouts c join ledger_entries e on e.checkout_id = c.id
    where c.offsetter_id = ${offsetterId} and c.org_id = ${orgId} and ${isInPaymentMode('e.livemode')}`.execute(
    db.kysely,
  );
  return { units: BigInt(rows[0]?.carbon ?? 0), scale: STORED_DECIMALS };
}

function createPublishedStore(db: Database, table: 'awardees' | 'installers'): StoryStore {
  const publishedStories = db.kysely
    .selectFrom(table)
    .select(['id', 'name', 'story', 'photo', 'created_at', sql<ShownAs>`'full'`.as('shown_as')])
    .where('status', '=', 'published');
  return {
    list: (orgId, page) => readPage(publishedStories, table, page, orgId),
    find: (orgId, id) => publishedStories.where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst(),
    findNeighbors: (orgId, id) => findNeighbors(publishedStories, table, { id, order: 'desc' }, orgId),
  };
}
