import { toStoredLanguage } from '#contract/languages.ts';
import type { Pledge } from '#contract/schemas/pledges.ts';
import type { ParsedBody } from '#contract/schemas.ts';
import { MAX_PLAUSIBLE_PLEDGE_DOLLARS } from '#domain/check.ts';
import { DAY_MS, type Day, dayOf, type TimeZone } from '#domain/days.ts';
import { postalAddressFailure } from '#domain/donor.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import { formatCents, toChargedCents } from '#domain/money.ts';
import { chosenNameFailure } from '#domain/names.ts';
import { emailFailure } from '#domain/profile.ts';
import type { Language } from '#messages';
import { newId } from '#server/db/new-id.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { checkRateLimit } from '#server/features/rate-limits/check-rate-limit.ts';
import { addField } from '#server/http/problems.ts';
import { defineRecurringJob } from '#server/jobs/define-job.ts';
import {
  deleteSuspiciousPledges,
  insertPledge,
  insertPledgeOnce,
  lockPledge,
  type PledgeKey,
  type PledgeRow,
} from './pledges.store.ts';
import {
  type CheckContext,
  duplicateCheckFailure,
  postCheck,
  type ReceiveDeps,
  readPledge,
  receivedCheckFailure,
  toReceivedColumns,
} from './receive-pledge.ts';
import { sendPledgeEmail } from './send-pledge-email.job.ts';

type PledgeRequest = ParsedBody<'recordPledge'>;

/**
 * Records a check that an editor expects or has received. A received check counts right away. The caller chooses the
 * id, so that repeating the call, such as after a lost response, doesn't record a second check.
 * @returns Failure pledge-recorded if the id was used for other content, pledge-not-found, check-recorded, or for an
 * invalid field
 */
export async function recordPledge(
  deps: ReceiveDeps,
  key: PledgeKey,
  request: PledgeRequest,
  context: CheckContext,
): Promise<Pledge | Failure> {
  const recordedAt = deps.now();
  const failure = pledgeFailure(request, dayOf(recordedAt, context.timeZone));
  if (failure) return failure;
  const { amount, received } = request;
  return inTransaction(deps.db, async (tx) => {
    const duplicateFailure = received && (await duplicateCheckFailure(tx, key, { ...received, amount }));
    if (duplicateFailure) return duplicateFailure;
    const isNew = await insertPledgeOnce(tx, {
      id: key.pledgeId,
      org_id: key.orgId,
      ...toPledgeColumns(request),
      created_at: recordedAt,
      ...(received && toReceivedColumns({ ...received, amount }, context.timeZone, recordedAt)),
    });
    const pledge = await lockPledge(tx, key);
    if (!pledge) return new Failure('pledge-not-found');
    if (!isNew && !hasContent(pledge, request, context.timeZone)) {
      const { name, amount_cents: promised, received_cents: cents } = pledge;
      return new Failure('pledge-recorded', { name: name ?? '–', amount: formatCents(cents ?? promised) });
    }
    if (isNew && received)
      await postCheck(tx, deps, pledge, { ...context, check: { ...received, amount }, recordedAt });
    return readPledge(tx, key);
  });
}

function toPledgeColumns({ name, email, postalAddress, amount }: PledgeRequest) {
  return {
    name: name.trim(),
    email: email.trim() || null,
    postal_address: postalAddress.trim() || null,
    amount_cents: toChargedCents(amount),
  };
}

/** @returns whether a stored pledge has the content of this request */
function hasContent(pledge: PledgeRow, request: PledgeRequest, timeZone: TimeZone): boolean {
  const { amount, received } = request;
  const facts = toPledgeColumns(request);
  const isSamePledge =
    pledge.name === facts.name &&
    pledge.email === facts.email &&
    pledge.postal_address === facts.postal_address &&
    pledge.amount_cents === facts.amount_cents;
  if (!isSamePledge || !received) return isSamePledge;
  return (
    pledge.received_cents === toChargedCents(amount) &&
    pledge.received_at !== null &&
    dayOf(pledge.received_at, timeZone) === received.receivedOn &&
    pledge.check_number === (received.checkNumber.trim() || null) &&
    pledge.note === (received.note.trim() || null)
  );
}

function pledgeFailure({ name, email, postalAddress, received }: PledgeRequest, today: Day): Failure | undefined {
  return (
    addField('name', chosenNameFailure(name)) ??
    (email.trim() === '' ? undefined : addField('email', emailFailure(email))) ??
    addField('postalAddress', postalAddressFailure(postalAddress)) ??
    (received && receivedCheckFailure(received, today))
  );
}

/**
 * Saves a donor's promise to send a check, which counts only once an editor marks it received (decisions §3). A pledge
 * is marked as suspicious and gets no email if it is very large, or if too many have the same client or address. `client` is
 * an IP address.
 * @returns Failure too-many-requests, or for an invalid field
 */
export async function pledgeCheck(
  { db, now, jobs }: Pick<AppDeps, 'db' | 'now' | 'jobs'>,
  orgId: OrgId,
  { name, email, amount }: ParsedBody<'pledgeCheck'>,
  { client, language }: { readonly client: string; readonly language: Language },
): Promise<{ id: string; amount: number } | Failure> {
  const failure =
    addField('name', chosenNameFailure(name)) ??
    addField('email', emailFailure(email)) ??
    (await checkRateLimit({ db, now }, 'pledge', { client, email }));
  if (failure) return failure;
  const isSuspicious =
    amount > MAX_PLAUSIBLE_PLEDGE_DOLLARS ||
    (await checkRateLimit({ db, now }, 'likely-pledge', { client, email })) !== undefined;
  const id = newId();
  await inTransaction(db, async (tx) => {
    await insertPledge(tx, {
      id,
      org_id: orgId,
      name: name.trim(),
      email: email.trim(),
      amount_cents: amount * 100,
      suspicious: isSuspicious,
      language: toStoredLanguage(language),
      created_at: now(),
    });
    if (!isSuspicious) await jobs.enqueue(tx, sendPledgeEmail, { orgId, pledgeId: id });
  });
  return { id, amount };
}

const SUSPICIOUS_DAYS = 90;

/** Deletes old suspicious pledges that no editor confirmed. A check that arrives later is recorded as a new pledge. */
export async function sweepPledges({ db, now }: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  await deleteSuspiciousPledges(db.kysely, new Date(now().getTime() - SUSPICIOUS_DAYS * DAY_MS));
}

export const sweepPledgesJob = defineRecurringJob({
  name: 'sweep-pledges',
  initialDelayMs: 60_000,
  intervalMs: 60 * 60_000,
  isExclusive: false,
  isLong: true,
  run: sweepPledges,
});
