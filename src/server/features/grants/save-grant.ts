import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { Grant, GrantFacts } from '#contract/schemas/grants.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { grantDayFailure, hasSavings } from '#domain/grant.ts';
import type { OrgId } from '#domain/ids.ts';
import { toChargedCents, toTenThousandths } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { addField } from '#server/http/problems.ts';
import {
  countEntries,
  deleteGrantRow,
  findGrant,
  findInstallerByName,
  type GrantKey,
  type GrantRow,
  insertGrantOnce,
  lockAwardee,
  lockGrant,
  updateGrant,
} from './grants.store.ts';
import { presentGrant, presentGrantRow } from './read-grants.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;

/**
 * Adds or changes a grant. The caller chooses the id, so that repeating the call doesn't add a second grant. The amount
 * and the awardee of a promised or paid grant can't change, and its application can't be later than the promise or
 * payment. The expected savings can be entered later, but before the promise or payment. Saves nothing if someone else
 * has changed the grant since the editor read it.
 * @returns Failure awardee-not-found, grant-not-found, grant-changed, grant-in-books, no-saving, no-method-source,
 * no-other-source, or for an invalid day
 */
export async function saveGrant(
  { db, now }: Deps,
  key: GrantKey,
  { basedOn, ...facts }: ParsedBody<'saveGrant'>,
  timeZone: TimeZone,
): Promise<Grant | Failure> {
  const failure = checkFacts(facts, dayOf(now(), timeZone));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    if (!(await lockAwardee(tx, key.orgId, facts.awardeeid))) return new Failure('awardee-not-found');
    const row = { ...toGrantColumns(facts), installer_id: await findInstallerId(tx, key.orgId, facts) };
    const noProgress = {
      promised_on: null,
      promised_entry_id: null,
      paid_on: null,
      paid_entry_id: null,
      paid_cents: null,
      done_on: null,
      inspected_on: null,
    };
    const newGrant = { ...row, ...noProgress, id: key.grantId, org_id: key.orgId, created_at: now() };
    if (!basedOn) await insertGrantOnce(tx, newGrant);
    const grant = await lockGrant(tx, key);
    if (!grant) return new Failure('grant-not-found');
    // If a response was lost, the caller may repeat a call that has already saved the grant.
    const isSaved = isDeepStrictEqual({ ...grant, ...row }, { ...grant });
    if (basedOn && !isSaved && !matchesFacts(grant, basedOn)) return new Failure('grant-changed');
    const isInBooks = grant.promised_entry_id !== null || grant.paid_entry_id !== null;
    const changesBooks = grant.amount_cents !== row.amount_cents || grant.awardee_id !== row.awardee_id;
    if (isInBooks && changesBooks) return new Failure('grant-in-books', { field: 'amount' });
    if (isInBooks && !hasSavings(facts)) return new Failure('no-saving', { field: 'yearlyPounds' });
    const firstBookedOn = grant.promised_on ?? grant.paid_on;
    if (firstBookedOn !== null && facts.appliedOn > firstBookedOn)
      return new Failure('days-out-of-order', { field: 'appliedOn' });
    await updateGrant(tx, key, row);
    return presentGrant(await findGrant(tx, key));
  });
}

function matchesFacts(grant: GrantRow, facts: GrantFacts): boolean {
  const currentGrant = presentGrantRow(grant);
  const names = Object.keys(facts) as (keyof GrantFacts)[];
  return names.every((name) => isDeepStrictEqual(currentGrant[name], facts[name]));
}

function checkFacts(facts: GrantFacts, today: Day): Failure | undefined {
  const dayFailure = addField('appliedOn', grantDayFailure(facts.appliedOn, null, today));
  if (dayFailure) return dayFailure;
  const savingFailure = hasSavings(facts) || facts.years > 0 ? checkSaving(facts) : undefined;
  if (savingFailure) return savingFailure;
  const lacksSource = facts.otherFunding !== 0 && facts.otherFundingSource.trim() === '';
  return lacksSource ? new Failure('no-other-source', { field: 'otherFundingSource' }) : undefined;
}

function checkSaving({ yearlyPounds, years, methodSource }: GrantFacts): Failure | undefined {
  if (yearlyPounds === 0) return new Failure('no-saving', { field: 'yearlyPounds' });
  if (years === 0) return new Failure('no-saving', { field: 'years' });
  return methodSource.trim() === '' ? new Failure('no-method-source', { field: 'methodSource' }) : undefined;
}

/** Finds the installer's id. Grants link to installers by id, so the link survives a name change. */
async function findInstallerId(
  tx: Transaction<Tables>,
  orgId: OrgId,
  { installer }: GrantFacts,
): Promise<string | null> {
  const name = installer.trim();
  return name === '' ? null : ((await findInstallerByName(tx, orgId, name)) ?? null);
}

function toGrantColumns(facts: GrantFacts) {
  const hasOtherFunding = facts.otherFunding > 0;
  const reason = hasOtherFunding ? facts.fullSavingsReason.trim() : '';
  return {
    awardee_id: facts.awardeeid,
    applied_on: facts.appliedOn,
    amount_cents: toChargedCents(facts.amount),
    measures: [...new Set(facts.measures)],
    installer: facts.installer.trim(),
    published_fields: [...new Set(facts.publicFields)],
    yearly_carbon: toTenThousandths(facts.yearlyPounds),
    years: facts.years,
    method: facts.method,
    // A source is meaningless without savings.
    method_source: hasSavings(facts) ? facts.methodSource.trim() : '',
    other_funding_cents: hasOtherFunding ? toChargedCents(facts.otherFunding) : 0,
    other_funding_source: hasOtherFunding ? facts.otherFundingSource.trim() : '',
    claims_full_savings: reason !== '',
    full_savings_reason: reason,
  };
}

/** @returns Failure grant-not-found, grant-in-books */
export async function deleteGrant({ db }: Deps, key: GrantKey): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const grant = await lockGrant(tx, key);
    if (!grant) return new Failure('grant-not-found');
    if ((await countEntries(tx, key)) > 0) return new Failure('grant-in-books');
    await deleteGrantRow(tx, key);
    return {};
  });
}

/**
 * Records the days when the work was finished and inspected (null if it wasn't). An omitted day doesn't change. Pounds
 * count as delivered from the day the work was finished.
 * @returns Failure grant-not-found, grant-not-promised, or for an invalid day
 */
export async function recordGrantWork(
  { db, now }: Deps,
  key: GrantKey,
  days: ParsedBody<'recordGrantWork'>,
  timeZone: TimeZone,
): Promise<Grant | Failure> {
  const today = dayOf(now(), timeZone);
  return inTransaction(db, async (tx) => {
    const grant = await lockGrant(tx, key);
    if (!grant) return new Failure('grant-not-found');
    if (grant.promised_on === null && grant.paid_on === null) return new Failure('grant-not-promised');
    const { doneOn = grant.done_on, inspectedOn = grant.inspected_on } = days;
    if (doneOn === null && inspectedOn !== null) return new Failure('day-invalid', { field: 'doneOn' });
    const failure =
      (doneOn === null ? undefined : addField('doneOn', grantDayFailure(doneOn, grant.applied_on, today))) ??
      (inspectedOn === null ? undefined : addField('inspectedOn', grantDayFailure(inspectedOn, doneOn, today)));
    if (failure) return failure;
    await updateGrant(tx, key, { done_on: doneOn, inspected_on: inspectedOn });
    return presentGrant(await findGrant(tx, key));
  });
}
