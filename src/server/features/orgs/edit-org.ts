import type { Selectable, Transaction, Updateable } from 'kysely';
import { RESERVED_SLUGS } from '#contract/reserved-slugs.ts';
import type { FoundPlace } from '#contract/schemas/cities.ts';
import type { EditableSettings, Org, OrgEdit } from '#contract/schemas/orgs.ts';
import { decimal, toUnits } from '#domain/decimal.ts';
import { Failure } from '#domain/failures.ts';
import { typicalGrantCents } from '#domain/gift-effect.ts';
import type { OrgId } from '#domain/ids.ts';
import { STORED_DECIMALS } from '#domain/money.ts';
import { chosenNameFailure } from '#domain/names.ts';
import { normalizeTag, type PartialStats } from '#domain/org.ts';
import { can, type SignedInUser } from '#domain/permissions.ts';
import { placeFailure, slugFailure, tagFailure } from '#domain/site-failures.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { readLastEditor } from '#server/features/activity/read-activity.ts';
import { saveTagVersion } from '#server/features/cells/save-cell.ts';
import { findHomeCity } from '#server/features/cities/search-cities.ts';
import { hasEntryInClosedMonth } from '#server/features/ledger/months.ts';
import { setStats } from '#server/features/ledger/org-stats.ts';
import { addField } from '#server/http/problems.ts';
import type { Log } from '#server/log.ts';
import { catchSlugTaken, timeZoneFailure } from './create-org.ts';
import { changeOrg, lockOrg, saveFormerSlug } from './orgs.store.ts';
import { readOrg } from './read-org.ts';

type Deps = Pick<AppDeps, 'db' | 'now' | 'parent' | 'places'> & { readonly log: Log };
type OrgEditRequest = { readonly orgId: OrgId; readonly actor: SignedInUser; readonly edit: OrgEdit };
/** @property homeCity the edited place's city, or null; undefined if the edit has no place */
type OrgEditWithCity = OrgEditRequest & { readonly homeCity: FoundPlace | null | undefined };

/** Ledger text for an adjustment without a reason, because §7's payload has no reason. */
const NO_REASON = 'No reason was given.';

/**
 * Changes an organization's settings. Omitted settings don't change. Setting stats posts the difference to the ledger.
 * @returns Failure org-not-found, only-admins (a new slug), slug-taken, stats-changed,
 * settings-changed (someone else has changed an edited setting), time-zone-in-books, or for an invalid field
 */
export async function editOrg(deps: Deps, { orgId, actor, edit }: OrgEditRequest): Promise<Org | Failure> {
  const fieldFailure =
    addField('tag', edit.tag === undefined ? undefined : tagFailure(edit.tag)) ??
    addField('name', edit.name === undefined ? undefined : chosenNameFailure(edit.name)) ??
    addField('timeZone', timeZoneFailure(edit.timeZone)) ??
    addField('place', edit.place === undefined ? undefined : placeFailure(edit.place));
  if (fieldFailure) return fieldFailure;
  const homeCity = edit.place === undefined ? undefined : await findHomeCity(deps, edit.place);
  const failure = await catchSlugTaken(edit.slug ?? '', () =>
    inTransaction(deps.db, (tx) => applyEdit(tx, deps, { orgId, actor, edit, homeCity })),
  );
  return failure ?? readOrg(deps.db, orgId);
}

async function applyEdit(
  tx: Transaction<Tables>,
  { now, parent }: Deps,
  { orgId, actor, edit, homeCity }: OrgEditWithCity,
): Promise<Failure | undefined> {
  const org = await lockOrg(tx, orgId);
  if (!org) return new Failure('org-not-found');
  // Editors without a second factor would lock themselves out.
  const turnsOnSecondFactor = edit.editorsNeedSecondFactor === true && !org.editors_need_second_factor;
  if (turnsOnSecondFactor && !actor.hasSecondFactor) return new Failure('second-factor-needed');
  const conflict = await findConflict(tx, org, edit, actor);
  if (conflict) return conflict;
  const timeZoneError = await findTimeZoneFailure(tx, org, edit.timeZone);
  if (timeZoneError) return timeZoneError;
  const slug = edit.slug === org.slug ? undefined : edit.slug;
  const slugError = slug === undefined ? undefined : slugChangeFailure(slug, actor, orgId);
  if (slugError) return slugError;
  const time = now();
  if (edit.stats) {
    const { stats, previousStats, reason = '' } = edit;
    const reasonText = reason.trim() || NO_REASON;
    const failure = await setStats(tx, {
      orgId,
      stats,
      expectedStats: previousStats,
      reason: reasonText,
      actorId: actor.userId,
      at: time,
    });
    if (failure) return failure;
  }
  if (edit.tag !== undefined)
    await saveTagVersion(tx, parent, { orgId, userId: actor.userId, tag: normalizeTag(edit.tag), savedAt: time });
  if (slug !== undefined) await saveFormerSlug(tx, org.slug, orgId);
  await changeOrg(tx, orgId, {
    ...toColumns(edit),
    ...(homeCity === undefined ? {} : { home_city: homeCity && JSON.stringify(homeCity) }),
    ...(slug === undefined ? {} : { slug }),
    ...toTimeColumn(edit, time),
  });
  return undefined;
}

/** Compares the edited settings with the settings that the editor saw (decisions §5). @returns Failure settings-changed */
async function findConflict(
  tx: Transaction<Tables>,
  org: Selectable<Tables['orgs']>,
  { baseSettings, ...edit }: OrgEdit,
  actor: SignedInUser,
): Promise<Failure<'settings-changed'> | undefined> {
  if (!baseSettings) return undefined;
  const baseColumns = toSettingColumns(baseSettings);
  const changedColumns = Object.entries(toSettingColumns(edit)).flatMap(([column, value]) => {
    const currentValue = org[column as keyof SettingColumns];
    const hasConflict = column in baseColumns && baseColumns[column as keyof SettingColumns] !== currentValue;
    return hasConflict && value !== currentValue ? [column] : [];
  });
  if (changedColumns.length === 0) return undefined;
  const setting = { orgId: org.id, kind: 'settings', subject: org.id, columns: changedColumns } as const;
  const editor = await readLastEditor(tx, setting);
  return new Failure('settings-changed', {
    savedBy: editor.name ?? 'Someone',
    isSavedByCaller: editor.userId === actor.userId ? 1 : 0,
  });
}

/** Rejects another time zone once a month is closed, because it would move entries into and out of that month. */
async function findTimeZoneFailure(
  tx: Transaction<Tables>,
  org: Selectable<Tables['orgs']>,
  timeZone = org.time_zone,
): Promise<Failure | undefined> {
  if (timeZone === org.time_zone || !(await hasEntryInClosedMonth(tx, org.id))) return undefined;
  return new Failure('time-zone-in-books', { field: 'timeZone' });
}

type SettingColumns = ReturnType<typeof toSettingColumns>;

function toSettingColumns({ slug, ...settings }: EditableSettings): Updateable<Tables['orgs']> {
  return { ...(slug === undefined ? {} : { slug }), ...toColumns(settings) };
}

/** Every editor may send the current slug (§7), but only admins may change it (§5). */
function slugChangeFailure(slug: string, actor: SignedInUser, orgId: OrgId): Failure | undefined {
  const failure = can(actor, 'org.edit-slug', { orgId })
    ? slugFailure(slug, RESERVED_SLUGS)
    : new Failure('only-admins');
  return addField('slug', failure);
}

function toColumns({
  name,
  tag,
  noAwardees,
  takesApplications,
  reviewStories,
  editorsNeedSecondFactor,
  timeZone,
  place,
  typicalGrant,
  statsDelta,
}: EditableSettings): Updateable<Tables['orgs']> {
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(tag === undefined ? {} : { tag: normalizeTag(tag) }),
    ...(noAwardees === undefined ? {} : { no_awardees: noAwardees }),
    ...(takesApplications === undefined ? {} : { takes_applications: takesApplications }),
    ...(reviewStories === undefined ? {} : { review_stories: reviewStories }),
    ...(editorsNeedSecondFactor === undefined ? {} : { editors_need_second_factor: editorsNeedSecondFactor }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(place === undefined ? {} : { place: place.trim() }),
    ...(typicalGrant === undefined ? {} : { typical_grant_cents: typicalGrantCents(typicalGrant) }),
    ...toDeltaColumns(statsDelta ?? {}),
  };
}

function toDeltaColumns({ co2, gas, funds, grants }: PartialStats): Updateable<Tables['orgs']> {
  return {
    ...(co2 === undefined ? {} : { delta_carbon: toUnits(decimal(co2), STORED_DECIMALS) }),
    ...(gas === undefined ? {} : { delta_gas: toUnits(decimal(gas), STORED_DECIMALS) }),
    ...(funds === undefined ? {} : { delta_cents: toUnits(decimal(funds), 2) }),
    ...(grants === undefined ? {} : { delta_grants: grants }),
  };
}

/** Takes the time of a manual stats change from the server's clock (decisions §3). */
function toTimeColumn({ stats, statsDelta }: OrgEdit, time: Date): Updateable<Tables['orgs']> {
  return stats || statsDelta ? { stats_updated_at: time } : {};
}
