import type { Transaction, Updateable } from 'kysely';
import { RESERVED_SLUGS } from '#contract/pages.ts';
import type { Org, OrgEdit } from '#contract/schemas/orgs.ts';
import { isTimeZone } from '#domain/days.ts';
import { countOf, decimal } from '#domain/decimal.ts';
import { Failure } from '#domain/failures.ts';
import { typicalGrantOf } from '#domain/gift-effect.ts';
import { STORED_DECIMALS } from '#domain/money.ts';
import { chosenNameFailure, placeFailure } from '#domain/names.ts';
import { type SomeStats, tidyTag } from '#domain/org.ts';
import { type Bearer, can } from '#domain/permissions.ts';
import { slugFailure, tagFailure } from '#domain/site-failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { saveTagVersion } from '#server/features/cells/save-cell.ts';
import { setStats } from '#server/features/ledger/org-stats.ts';
import { aboutField } from '#server/http/problems.ts';
import { orSlugTaken } from './create-org.ts';
import { changeOrg, keepFormerSlug, lockedOrg } from './orgs.store.ts';
import { readOrg } from './read-org.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;
type Edit = { readonly orgId: string; readonly actor: Bearer; readonly edit: OrgEdit };

/** The ledger's reason for an adjustment without one: §7's payload has none. */
const NO_REASON = 'No reason was given.';

/**
 * Changes an organization's settings; absent ones stay unchanged. Setting stats posts the difference to the ledger.
 * @returns Failure org-not-found, only-admins (a new slug), slug-taken, stats-moved, or for an invalid field
 */
export async function editOrg(deps: Deps, { orgId, actor, edit }: Edit): Promise<Org | Failure> {
  const refusal =
    aboutField('tag', edit.tag === undefined ? undefined : tagFailure(edit.tag)) ??
    aboutField('name', edit.name === undefined ? undefined : chosenNameFailure(edit.name)) ??
    aboutField('timeZone', zoneFailure(edit.timeZone)) ??
    aboutField('place', edit.place === undefined ? undefined : placeFailure(edit.place));
  if (refusal) return refusal;
  const failure = await orSlugTaken(edit.slug ?? '', () =>
    inTransaction(deps.db, (tx) => write(tx, deps, { orgId, actor, edit })),
  );
  return failure ?? readOrg(deps.db, orgId);
}

async function write(
  tx: Transaction<Tables>,
  { now }: Deps,
  { orgId, actor, edit }: Edit,
): Promise<Failure | undefined> {
  const before = await lockedOrg(tx, orgId);
  if (!before) return new Failure('org-not-found');
  // Who switches it on must not lock themselves out.
  const isSwitchedOn = edit.editorsNeedSecondFactor === true && !before.editors_need_second_factor;
  if (isSwitchedOn && !actor.secondFactor) return new Failure('second-factor-needed');
  const slug = edit.slug === before.slug ? undefined : edit.slug;
  const refusal = slug === undefined ? undefined : refusalOfSlug(slug, actor, orgId);
  if (refusal) return refusal;
  const at = now();
  if (edit.stats) {
    const { stats, statsSeen: seen, reason = '' } = edit;
    const why = reason.trim() || NO_REASON;
    const failure = await setStats(tx, { orgId, stats, seen, reason: why, actorId: actor.userId, at });
    if (failure) return failure;
  }
  if (edit.tag !== undefined) await saveTagVersion(tx, { orgId, userId: actor.userId, tag: tidyTag(edit.tag), at });
  if (slug !== undefined) await keepFormerSlug(tx, before.slug, orgId);
  await changeOrg(tx, orgId, { ...columnsOf(edit), ...(slug === undefined ? {} : { slug }), ...timeOf(edit, at) });
  return undefined;
}

/** Every editor may send the current slug (§7); only admins may change it (§5). */
function refusalOfSlug(slug: string, actor: Bearer, orgId: string): Failure | undefined {
  const failure = can(actor, 'org.edit-slug', { orgId })
    ? slugFailure(slug, RESERVED_SLUGS)
    : new Failure('only-admins');
  return aboutField('slug', failure);
}

function zoneFailure(zone: string | undefined): Failure | undefined {
  return zone === undefined || isTimeZone(zone) ? undefined : new Failure('time-zone-unknown');
}

function columnsOf({
  name,
  tag,
  noAwardees,
  reviewStories,
  editorsNeedSecondFactor,
  timeZone,
  place,
  typicalGrant,
  statsDelta,
}: OrgEdit): Updateable<Tables['orgs']> {
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(tag === undefined ? {} : { tag: tidyTag(tag) }),
    ...(noAwardees === undefined ? {} : { no_awardees: noAwardees }),
    ...(reviewStories === undefined ? {} : { review_stories: reviewStories }),
    ...(editorsNeedSecondFactor === undefined ? {} : { editors_need_second_factor: editorsNeedSecondFactor }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(place === undefined ? {} : { place: place.trim() }),
    ...(typicalGrant === undefined ? {} : { typical_grant_cents: typicalGrantOf(typicalGrant) }),
    ...deltaColumns(statsDelta ?? {}),
  };
}

function deltaColumns({ co2, gas, funds, grants }: SomeStats): Updateable<Tables['orgs']> {
  return {
    ...(co2 === undefined ? {} : { delta_carbon: countOf(decimal(co2), STORED_DECIMALS) }),
    ...(gas === undefined ? {} : { delta_gas: countOf(decimal(gas), STORED_DECIMALS) }),
    ...(funds === undefined ? {} : { delta_cents: countOf(decimal(funds), 2) }),
    ...(grants === undefined ? {} : { delta_grants: grants }),
  };
}

/** The server decides when the stats were changed by hand (decisions §3). */
function timeOf({ stats, statsDelta }: OrgEdit, at: Date): Updateable<Tables['orgs']> {
  return stats || statsDelta ? { stats_updated_at: at } : {};
}
