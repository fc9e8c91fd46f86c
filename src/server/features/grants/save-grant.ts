import type { Transaction } from 'kysely';
import type { Grant, GrantFacts } from '#contract/schemas/grants.ts';
import type { ReceivedBody } from '#contract/schemas.ts';
import { type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { grantDayFailure } from '#domain/grant.ts';
import { chargeOf, tenThousandthsOf } from '#domain/money.ts';
import type { Tables } from '#server/db/tables.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { aboutField } from '#server/http/problems.ts';
import {
  changeGrant,
  deleteGrantRow,
  entriesOf,
  type GrantKey,
  grantById,
  hasAwardee,
  insertGrantOnce,
  installerNamed,
  lockedGrant,
} from './grants.store.ts';
import { presentedGrant } from './read-grants.ts';

type Deps = Pick<AppDeps, 'db' | 'now'>;

/**
 * Adds a grant or changes what is written down of it. The caller chooses the id, so that repeating the call adds nothing
 * twice. The amount of one that was promised or paid stays, and so does its awardee.
 * @returns Failure awardee-not-found, grant-not-found, grant-in-books, no-method-source, no-other-source, or about the day
 */
export async function saveGrant(
  { db, now }: Deps,
  key: GrantKey,
  facts: GrantFacts,
  timeZone: TimeZone,
): Promise<Grant | Failure> {
  const failure = factsFailure(facts, dayOf(now(), timeZone));
  if (failure) return failure;
  return inTransaction(db, async (tx) => {
    if (!(await hasAwardee(tx, key.orgId, facts.awardeeid))) return new Failure('awardee-not-found');
    const row = { ...rowOf(facts), installer_id: await installerOf(tx, key.orgId, facts) };
    const nothingYet = {
      promised_on: null,
      promised_entry_id: null,
      paid_on: null,
      paid_entry_id: null,
      paid_cents: null,
      done_on: null,
      inspected_on: null,
    };
    await insertGrantOnce(tx, { ...row, ...nothingYet, id: key.grantId, org_id: key.orgId, created_at: now() });
    const before = await lockedGrant(tx, key);
    if (!before) return new Failure('grant-not-found');
    const isInBooks = before.promised_entry_id !== null || before.paid_entry_id !== null;
    const keeps = before.amount_cents === row.amount_cents && before.awardee_id === row.awardee_id;
    if (isInBooks && !keeps) return new Failure('grant-in-books', { field: 'amount' });
    await changeGrant(tx, key, row);
    return presentedGrant(await grantById(tx, key));
  });
}

function factsFailure(facts: GrantFacts, today: Day): Failure | undefined {
  const dayFailure = aboutField('appliedOn', grantDayFailure(facts.appliedOn, null, today));
  if (dayFailure) return dayFailure;
  if (facts.methodSource.trim() === '') return new Failure('no-method-source', { field: 'methodSource' });
  const isNamed = facts.otherMoney === 0 || facts.otherSource.trim() !== '';
  return isNamed ? undefined : new Failure('no-other-source', { field: 'otherSource' });
}

/** Who is in the organization's list is linked, and keeps the link under another name. */
async function installerOf(tx: Transaction<Tables>, orgId: string, { installer }: GrantFacts): Promise<string | null> {
  const name = installer.trim();
  return name === '' ? null : ((await installerNamed(tx, orgId, name)) ?? null);
}

function rowOf(facts: GrantFacts) {
  const reason = facts.claimsAllBecause.trim();
  return {
    awardee_id: facts.awardeeid,
    applied_on: facts.appliedOn,
    amount_cents: chargeOf(facts.amount),
    measures: [...new Set(facts.measures)],
    installer: facts.installer.trim(),
    shown: [...new Set(facts.shown)],
    yearly_carbon: tenThousandthsOf(facts.yearlyPounds),
    years: facts.years,
    method: facts.method,
    method_source: facts.methodSource.trim(),
    other_cents: facts.otherMoney === 0 ? 0 : chargeOf(facts.otherMoney),
    other_source: facts.otherSource.trim(),
    claims_all: reason !== '',
    claims_reason: reason,
  };
}

/** @returns Failure grant-not-found, grant-in-books */
export async function deleteGrant({ db }: Deps, key: GrantKey): Promise<Record<string, never> | Failure> {
  return inTransaction(db, async (tx) => {
    const grant = await lockedGrant(tx, key);
    if (!grant) return new Failure('grant-not-found');
    if ((await entriesOf(tx, key)) > 0) return new Failure('grant-in-books');
    await deleteGrantRow(tx, key);
    return {};
  });
}

/**
 * Notes when the work was done and inspected; null if it was not. Pounds are delivered from the day when it was done.
 * @returns Failure grant-not-found, grant-not-promised, or about a day
 */
export async function noteGrantWork(
  { db, now }: Deps,
  key: GrantKey,
  { doneOn, inspectedOn }: ReceivedBody<'noteGrantWork'>,
  timeZone: TimeZone,
): Promise<Grant | Failure> {
  const today = dayOf(now(), timeZone);
  return inTransaction(db, async (tx) => {
    const grant = await lockedGrant(tx, key);
    if (!grant) return new Failure('grant-not-found');
    if (grant.promised_on === null && grant.paid_on === null) return new Failure('grant-not-promised');
    const failure =
      (doneOn === null ? undefined : aboutField('doneOn', grantDayFailure(doneOn, grant.applied_on, today))) ??
      (inspectedOn === null ? undefined : aboutField('inspectedOn', grantDayFailure(inspectedOn, doneOn, today)));
    if (failure) return failure;
    await changeGrant(tx, key, { done_on: doneOn, inspected_on: doneOn === null ? null : inspectedOn });
    return presentedGrant(await grantById(tx, key));
  });
}
