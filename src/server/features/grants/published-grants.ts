import type { PublishedGrant, PublishedHome } from '#contract/schemas/stories.ts';
import { pickPublishedFields } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import { toDollars, toPounds } from '#domain/money.ts';
import { makeDisplaySafe } from '#domain/names.ts';
import type { Database } from '#server/db/connection.ts';
import { getProfilePath } from '#server/entities/present-profile.ts';
import { type HomeRow, listInstallerHomes, listPublicGrants, type PublicGrantRow } from './grants.store.ts';
import { calculateCountedPounds } from './read-grants.ts';

/** Reads the public fields of a home's grants. Skips grants without public fields. */
export async function readPublishedGrants(db: Database, orgId: OrgId, awardeeId: string): Promise<PublishedGrant[]> {
  const rows = await listPublicGrants(db.kysely, orgId, [awardeeId]);
  return rows.map(presentPublishedGrant).filter((grant) => Object.keys(grant).length > 0);
}

/** Reads the public amounts and measures of homes' grants, by awardee. */
export async function readListedGrants(
  db: Database,
  orgId: OrgId,
  awardeeIds: readonly string[],
): Promise<Map<string, PublishedGrant[]>> {
  if (awardeeIds.length === 0) return new Map();
  const rows = await listPublicGrants(db.kysely, orgId, awardeeIds);
  const listedFields = (row: PublicGrantRow) =>
    row.published_fields.filter((field) => field === 'amount' || field === 'measures');
  const listedRows = rows.filter((row) => listedFields(row).length > 0);
  return new Map(
    [...Map.groupBy(listedRows, (row) => row.awardee_id)].map(([awardeeId, grants]) => [
      awardeeId,
      grants.map((row) => presentPublishedGrant({ ...row, published_fields: listedFields(row) })),
    ]),
  );
}

function presentPublishedGrant(row: PublicGrantRow): PublishedGrant {
  const parts = {
    amount: toDollars(row.paid_cents ?? row.amount_cents),
    measures: [...row.measures],
    installer: presentInstaller(row),
    savings: {
      yearlyPounds: toPounds(row.yearly_carbon),
      years: row.years,
      countedPounds: calculateCountedPounds(row),
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
  return pickPublishedFields(parts, row.published_fields);
}

/** Omits an installer whose page isn't published. */
function presentInstaller(row: PublicGrantRow): PublishedGrant['installer'] {
  const { org_id: orgId, installer_id: id, public_installer: name, installer } = row;
  if (id === null) return installer === '' ? undefined : { name: installer, profileURL: null };
  return name === null
    ? undefined
    : { name: makeDisplaySafe(name), profileURL: getProfilePath('installer', orgId, id) };
}

/** Reads the homes where an installer finished work, with the fields that each household agreed to publish. */
export async function readInstallerHomes(db: Database, orgId: OrgId, installerId: string): Promise<PublishedHome[]> {
  return (await listInstallerHomes(db.kysely, orgId, installerId)).map((row) => presentPublishedHome(orgId, row));
}

function presentPublishedHome(
  orgId: OrgId,
  { awardee_id: id, name, measures, published_fields: fields, done_on: doneOn }: HomeRow,
): PublishedHome {
  return {
    name: makeDisplaySafe(name),
    profileURL: getProfilePath('awardee', orgId, id),
    ...(fields.includes('measures') ? { measures: [...measures] } : {}),
    ...(fields.includes('dates') && doneOn !== null ? { doneOn } : {}),
  };
}
