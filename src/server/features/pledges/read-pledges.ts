import type { Pledge } from '#contract/schemas/pledges.ts';
import type { PledgeStatus } from '#domain/check.ts';
import type { Database } from '#server/db/connection.ts';
import type { Page } from '#server/db/keyset.ts';
import { presentPledge } from './pledges.present.ts';
import { pledgesPage } from './pledges.store.ts';

export type PledgesPart = { readonly pledges: Pledge[]; readonly nextCursor: string | undefined };

/** A part of an organisation's checks, promised, received and withdrawn. */
export async function readPledges(
  db: Database,
  orgId: string,
  { status, ...page }: Page & { readonly status?: PledgeStatus | undefined },
): Promise<PledgesPart> {
  // One more than asked for says whether there is more, without a count of all.
  const rows = await pledgesPage(db, orgId, status, { ...page, max: page.max + 1 });
  const shown = rows.slice(0, page.max);
  return {
    pledges: shown.map(presentPledge),
    nextCursor: rows.length > shown.length ? shown.at(-1)?.id : undefined,
  };
}
