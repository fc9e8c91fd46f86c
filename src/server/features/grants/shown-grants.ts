import type { PublishedGrant, PublishedHome } from '#contract/schemas/stories.ts';
import { publishedFields } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars, toPounds } from '#domain/money.ts';
import { displaySafeName } from '#domain/names.ts';
import type { Database } from '#server/db/connection.ts';
import { profilePath } from '#server/entities/present-profile.ts';
import { grantsOfHome, type HomeRow, homesOfInstaller, type PublicGrantRow } from './grants.store.ts';
import { countedPounds } from './read-grants.ts';

/** Reads the public fields of a home's grants. Skips grants without public fields. */
export async function publishedGrants(db: Database, orgId: OrgId, awardeeId: string): Promise<PublishedGrant[]> {
  const rows = await grantsOfHome(db.kysely, orgId, awardeeId);
  return rows.map(publishedGrant).filter((grant) => Object.keys(grant).length > 0);
}

function publishedGrant(row: PublicGrantRow): PublishedGrant {
  const parts = {
    amount: toDollars(row.paid_cents ?? row.amount_cents),
    measures: [...row.measures],
    installer: publicInstaller(row),
    savings: {
      yearlyPounds: toPounds(row.yearly_carbon),
      years: row.years,
      countedPounds: countedPounds(row),
      method: row.method,
      methodSource: row.method_source,
      otherFundingSource: row.other_funding_source,
      fullSavingsReason: row.full_savings_reason,
    },
    dates: {
      promisedOn: row.promised_on,
      paidOn: row.paid_on,
      doneOn: row.done_on,
      inspectedOn: row.inspected_on,
    },
  };
  return publishedFields(parts, row.published_fields);
}

/** Names an installer that has a page only while the page is published. */
function publicInstaller(row: PublicGrantRow): PublishedGrant['installer'] {
  const { org_id: orgId, installer_id: id, shown_installer: name, installer } = row;
  if (id === null) return installer === '' ? undefined : { name: installer, profileURL: null };
  return name === null ? undefined : { name: displaySafeName(name), profileURL: profilePath('installer', orgId, id) };
}

/** Reads the homes where an installer finished work, with the fields that each household agreed to publish. */
export async function publishedHomesOfInstaller(
  db: Database,
  orgId: OrgId,
  installerId: string,
): Promise<PublishedHome[]> {
  return (await homesOfInstaller(db.kysely, orgId, installerId)).map((row) => publishedHome(orgId, row));
}

function publishedHome(
  orgId: OrgId,
  { awardee_id: id, name, measures, published_fields: fields, done_on: doneOn }: HomeRow,
): PublishedHome {
  return {
    name: displaySafeName(name),
    profileURL: profilePath('awardee', orgId, id),
    ...(fields.includes('measures') ? { measures: [...measures] } : {}),
    ...(fields.includes('dates') && doneOn !== null ? { doneOn } : {}),
  };
}
