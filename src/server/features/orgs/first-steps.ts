import type { FirstSteps } from '#contract/schemas/first-steps.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { DEFAULT_TIME_ZONE } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { FIRST_STEP_NAMES, type FirstStep } from '#domain/first-steps.ts';
import type { OrgId } from '#domain/ids.ts';
import type { Database } from '#server/db/connection.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { findOrgRow, type OrgRow } from '#server/entities/find-org.ts';
import { hasEntryInClosedMonth } from '#server/features/ledger/months.ts';
import { changeOrg, lockOrg, readStepFacts, type StepFacts } from './orgs.store.ts';

export async function readFirstSteps(db: Database, org: OrgRow): Promise<FirstSteps> {
  const [facts, hasClosedMonth] = await Promise.all([
    readStepFacts(db.kysely, org.id),
    hasEntryInClosedMonth(db.kysely, org.id),
  ]);
  const isDone = findDoneSteps(org, facts, hasClosedMonth);
  return FIRST_STEP_NAMES.map((step) => {
    if (isDone[step]) return { step, state: 'done' };
    return { step, state: org.dismissed_steps.includes(step) ? 'dismissed' : 'open' };
  });
}

function findDoneSteps(org: OrgRow, facts: StepFacts, hasClosedMonth: boolean): Readonly<Record<FirstStep, boolean>> {
  return {
    photo: org.photo !== null,
    text: facts.has_text,
    'time-zone': hasClosedMonth || org.time_zone !== DEFAULT_TIME_ZONE,
    electricity: org.factors?.choice.electricity !== undefined,
    'typical-grant': org.typical_grant_cents !== null,
    awardee: org.no_awardees || facts.has_awardee,
    editor: facts.editor_count > 1,
    share: facts.has_gift,
  };
}

/**
 * Marks undetectable steps as done, such as a time zone that was already correct, or reopens them.
 * @returns Failure org-not-found
 */
export async function dismissFirstSteps(
  db: Database,
  orgId: OrgId,
  { steps, dismissed }: ParsedBody<'dismissFirstSteps'>,
): Promise<FirstSteps | Failure> {
  await inTransaction(db, async (tx) => {
    const org = await lockOrg(tx, orgId);
    const otherSteps = (org?.dismissed_steps ?? []).filter((name) => !steps.some((step) => step === name));
    await changeOrg(tx, orgId, { dismissed_steps: dismissed ? [...otherSteps, ...new Set(steps)] : otherSteps });
  });
  const org = await findOrgRow(db, orgId);
  return org ? readFirstSteps(db, org) : new Failure('org-not-found');
}
