import { WEBHOOK_PATH } from '#contract/calls.ts';
import type { GrantFacts } from '#contract/schemas/grants.ts';
import { offsetItem, type SubmittedItem } from '#domain/cart.ts';
import { dayOf } from '#domain/days.ts';
import { Failure } from '#domain/failures.ts';
import { toDollars } from '#domain/money.ts';
import { type Actor, VISITOR } from '#domain/permissions.ts';
import { createSignature } from '#sandbox/events.ts';
import { runAsAuthor } from '#server/db/author.ts';
import { isForeignKeyViolation } from '#server/db/error-codes.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { resolveAttention } from '#server/features/attention/attention.ts';
import { closeMonth, reopenMonth } from '#server/features/bank/close-month.ts';
import { markBankLine } from '#server/features/bank/mark-bank-line.ts';
import { readBankMonth } from '#server/features/bank/read-bank-month.ts';
import { saveDeposit } from '#server/features/bank/save-deposit.ts';
import { createCheckout } from '#server/features/checkouts/create-checkout.ts';
import { deleteCheckout } from '#server/features/checkouts/delete-checkout.ts';
import { readCheckout } from '#server/features/checkouts/read-checkout.ts';
import { payGrant, promiseGrant, reverseGrant } from '#server/features/grants/pay-grant.ts';
import { recordGrantWork, saveGrant } from '#server/features/grants/save-grant.ts';
import { runNightlyComparison, verifyBooksNightly } from '#server/features/operation/verify-books.ts';
import { refreshCheckouts, refreshFees } from '#server/features/payments/refresh-checkouts.ts';
import { refundPayment } from '#server/features/payments/refund-payment.ts';
import { receivePledge } from '#server/features/pledges/receive-pledge.ts';
import { recordPledge } from '#server/features/pledges/record-pledge.ts';
import { reversePledge } from '#server/features/pledges/reverse-pledge.ts';
import { applyDueEvents, queueUnhandledEvents } from '#server/features/provider-events/apply-events.ts';
import { postAccountFees } from '#server/features/provider-events/post-account-fees.ts';
import { readEventList } from '#server/features/provider-events/read-event-list.ts';
import { readPayoutList } from '#server/features/provider-events/read-payout-list.ts';
import { sendReceipt } from '#server/features/receipts/send-receipt.ts';
import {
  changeRecurringGift,
  pauseRecurringGift,
  type RecurringGiftVisit,
  stopRecurringGift,
  stopRecurringGiftByCheckout,
} from '#server/features/recurring-gifts/manage-recurring-gift.ts';
import { readRecurringGift } from '#server/features/recurring-gifts/read-recurring-gift.ts';
import { refreshSubscriptions } from '#server/features/recurring-gifts/record-subscription.ts';
import { deleteUser } from '#server/features/users/delete-user.ts';
import { AWARDEE_IDS, DONORS, EDITOR, ORG } from './data.ts';
import { getPaidCents } from './invariants.ts';
import { pickDueTime } from './provider-steps.ts';
import { type SimulatedApp, WEBHOOK_SECRET } from './simulated-app.ts';
import { DAY } from './world.ts';

/** A user or server action that faults can interrupt. `run` returns a one-word outcome. */
export type ServerStep = { readonly weight: number; readonly run: (app: SimulatedApp) => Promise<string> };

/** IP address shared by all donors. */
const DONOR_IP_ADDRESS = '192.0.2.1';

export const SERVER_STEPS = {
  'a visitor opens a checkout': { weight: 12, run: openCheckout },
  'an event is delivered': { weight: 14, run: deliver },
  'stored events are applied': { weight: 12, run: applyEvents },
  'a browser reads a checkout': { weight: 6, run: browse },
  'checkouts are refreshed': { weight: 3, run: ({ deps, log }) => refreshCheckouts(deps, log).then(() => 'done') },
  'fees are refreshed': { weight: 2, run: ({ deps, log }) => refreshFees(deps, log).then(() => 'done') },
  'recurring gifts are refreshed': {
    weight: 2,
    run: ({ deps, log }) => refreshSubscriptions(deps, log).then(() => 'done'),
  },
  'account fees are read': { weight: 2, run: ({ deps, log }) => postAccountFees(deps, log).then(() => 'done') },
  'payouts are read': { weight: 2, run: ({ deps, log }) => readPayoutList(deps, log).then(() => 'done') },
  'the event list is read': { weight: 4, run: readProviderEvents },
  'the books are compared at night': { weight: 5, run: compareBooks },
  'an editor resolves an unassigned payment': { weight: 4, run: resolvePayment },
  'an editor refunds': { weight: 5, run: refund },
  'a donor stops a gift': { weight: 3, run: (app) => stop(app, false) },
  'an editor stops a gift': { weight: 1, run: (app) => stop(app, true) },
  'a donor changes a gift': { weight: 3, run: change },
  'an editor deletes a checkout': { weight: 2, run: removeCheckout },
  'a donor deletes the account': { weight: 1, run: removeAccount },
  'an editor records a check': { weight: 2, run: recordCheck },
  'an editor receives a check': { weight: 2, run: receiveCheck },
  'an editor reverses a check': { weight: 2, run: reverseCheck },
  'a treasurer closes a month': { weight: 2, run: closeBankMonth },
  'a treasurer reopens a month': { weight: 1, run: reopenBankMonth },
  'a home applies for a grant': { weight: 2, run: applyForGrant },
  'a grant is promised': { weight: 2, run: promise },
  'a grant is paid': { weight: 3, run: pay },
  'work on a home is recorded': { weight: 1, run: recordWork },
  'a grant is reversed': { weight: 2, run: reverseGrantEntry },
  'an editor resends a receipt': { weight: 1, run: resendReceipt },
} satisfies Readonly<Record<string, ServerStep>>;

async function openCheckout({ deps, world }: SimulatedApp): Promise<string> {
  const { random } = world();
  const org = await findOrg(deps.db, ORG.orgId);
  if (!org) return 'no organization';
  const donor = random.chance(0.5) ? random.pick(DONORS) : undefined;
  const cart = createCart(random.integer(1, 200), random.pick(CART_KINDS));
  const coversFee = random.chance(0.4);
  try {
    return describeOutcome(await createCheckout(deps, org, { cart, coversFee }, createActor(donor), REQUEST_CONTEXT));
  } catch (error) {
    // The account was deleted concurrently.
    if (isForeignKeyViolation(error)) return 'rejected';
    throw error;
  }
}

const REQUEST_CONTEXT = { ipAddress: DONOR_IP_ADDRESS, language: 'en' } as const;

const CART_KINDS = ['once', 'once', 'month', 'year', 'mixed', 'offset'] as const;

function createCart(dollars: number, kind: (typeof CART_KINDS)[number]): SubmittedItem[] {
  const oneTimeItem: SubmittedItem = { type: 'donation', cost: dollars + 4 };
  const { type, cost, carbon, offsetType } = offsetItem('air', dollars * 100);
  const offset: SubmittedItem = { type, cost, carbon, ...(offsetType ? { offsetType } : {}) };
  switch (kind) {
    case 'once':
      return [oneTimeItem];
    case 'offset':
      return [oneTimeItem, offset];
    case 'month':
      return [{ ...oneTimeItem, recurring: 'month', recurringInterval: 1 }];
    case 'year':
      return [
        { ...offset, recurring: 'year' },
        { ...oneTimeItem, recurring: 'year' },
      ];
    case 'mixed':
      return [oneTimeItem, { ...offset, recurring: 'month', recurringInterval: 1 }];
  }
}

function createActor(donor: string | undefined): Actor {
  if (donor === undefined) return VISITOR;
  const [sessionId, epoch] = ['session', new Date(0)];
  const session = {
    sessionId,
    issuedAt: epoch,
    authenticatedAt: epoch,
    hasStaleToken: false,
    hasSecondFactor: false,
  };
  return { kind: 'user', userId: donor, ...session, admin: false, emailVerified: true, roles: {} };
}

async function deliver(app: SimulatedApp): Promise<string> {
  const { network, random, now } = app.world();
  const dueRequests = network.filter(({ dueAt }) => dueAt <= now().getTime());
  if (dueRequests.length === 0) return '';
  const delivery = random.pick(dueRequests);
  network.splice(network.indexOf(delivery), 1);
  const status = await post(app, delivery.event).catch(() => 0);
  // The provider redelivers unacknowledged events a limited number of times.
  if (status !== 200 && delivery.tries < 4)
    network.push({ ...delivery, tries: delivery.tries + 1, dueAt: pickDueTime(app.world()) });
  return String(status);
}

async function post({ webhook, world }: SimulatedApp, event: string): Promise<number> {
  const { deliveries, now } = world();
  const payload = deliveries.payload(event);
  const response = await webhook().inject({
    method: 'POST',
    url: WEBHOOK_PATH,
    headers: {
      'content-type': 'application/json',
      'stripe-signature': createSignature(payload, WEBHOOK_SECRET, now().getTime()),
    },
    payload,
  });
  return response.statusCode;
}

async function applyEvents({ deps, log }: SimulatedApp): Promise<string> {
  await queueUnhandledEvents(deps);
  await applyDueEvents(deps, log);
  return 'done';
}

export async function readProviderEvents({ deps, log, inspector, world }: SimulatedApp): Promise<string> {
  const startedAt = world().now().getTime();
  await readEventList(deps, log);
  const events = inspector.selectFrom('provider_cursors').select('read_until').where('name', '=', 'events');
  const cursor = await events.executeTakeFirst();
  if (cursor && cursor.read_until.getTime() >= startedAt) world().listedAt = startedAt;
  return 'done';
}

async function compareBooks({ deps, log, world }: SimulatedApp): Promise<string> {
  await verifyBooksNightly(deps, world().now(), log);
  await runNightlyComparison(deps, world().now(), log);
  return 'done';
}

async function resolvePayment({ deps, inspector, world }: SimulatedApp): Promise<string> {
  const items = await inspector
    .selectFrom('attention_items')
    .select(['id', 'org_id', 'subject'])
    .where('resolved_at', 'is', null)
    .orderBy('subject')
    .execute();
  if (items.length === 0) return '';
  const { id: itemId, org_id: orgId } = world().random.pick(items);
  return describeOutcome(
    await resolveAttention(deps, { orgId, itemId }, { note: 'Checked at the provider', resolvedBy: EDITOR }),
  );
}

async function browse(app: SimulatedApp): Promise<string> {
  const { deps, log, world } = app;
  const checkout = await pickId(app, 'checkouts');
  if (!checkout) return '';
  const result = await readCheckout(
    deps,
    { orgId: ORG.orgId, checkoutId: checkout },
    { actor: VISITOR, ipAddress: '192.0.2.1' },
    log,
  );
  if (result instanceof Failure || result.paymentStatus !== 'paid') return describeOutcome(result);
  const { store } = world().provider;
  const pages = store.sessions.all().filter(({ metadata }) => metadata?.checkoutId === checkout);
  if (!pages.some((page) => getPaidCents(page, store) > 0))
    world().unexpectedProblems.push(`The browser showed checkout ${checkout} as paid.`);
  return 'paid';
}

async function refund(app: SimulatedApp): Promise<string> {
  const { deps, inspector, world } = app;
  const { random } = world();
  const payments = await inspector.selectFrom('payments').selectAll().orderBy('entry_id').execute();
  if (payments.length === 0) return '';
  const { entry_id: entryId, checkout_id: checkoutId, amount_cents } = random.pick(payments);
  const amount = random.chance(0.4) ? undefined : random.integer(1, Math.ceil(amount_cents / 100));
  const request = { requestid: `request-${random.integer(1, 3)}`, entryid: entryId, reason: 'Asked for it', amount };
  const key = { orgId: ORG.orgId, checkoutId };
  return describeOutcome(await refundPayment(deps, key, request, EDITOR));
}

/** A visit from any IP address with the link in a donor's email. */
function createVisit({ world }: SimulatedApp, key: string): RecurringGiftVisit {
  const ip = `192.0.2.${world().random.integer(1, 254)}`;
  return { key: { orgId: ORG.orgId, key }, actor: VISITOR, request: { ip } };
}

async function stop(app: SimulatedApp, isByEditor: boolean): Promise<string> {
  const { deps, world } = app;
  const gift = await pickGift(app);
  if (!gift) return '';
  const { stoppedAtById, requestedStops } = world().userRequests;
  requestedStops.add(gift.id);
  const result = isByEditor
    ? await stopRecurringGiftByCheckout(deps, { orgId: ORG.orgId, checkoutId: gift.checkout_id })
    : await stopRecurringGift(deps, createVisit(app, gift.page_key));
  if (!(result instanceof Failure)) stoppedAtById.set(gift.id, world().now().getTime());
  return describeOutcome(result);
}

async function change(app: SimulatedApp): Promise<string> {
  const { deps, world } = app;
  const { random } = world();
  const gift = await pickGift(app);
  if (!gift) return '';
  const visit = createVisit(app, gift.page_key);
  const kind = random.pick(['pause', 'resume', 'amount', 'interval', 'read'] as const);
  switch (kind) {
    case 'read':
      return describeOutcome(await readRecurringGift(deps, visit.key));
    case 'amount':
      return describeOutcome(
        await changeRecurringGift(deps, visit, { amount: random.integer(1, 300), unit: 'month', count: 1 }),
      );
    case 'interval':
      return describeOutcome(await changeRecurringGift(deps, visit, { unit: 'month', count: random.integer(1, 3) }));
    case 'pause':
    case 'resume':
      return describeOutcome(await pauseRecurringGift(deps, visit, kind === 'pause'));
  }
}

async function removeCheckout(app: SimulatedApp): Promise<string> {
  const { deps, world } = app;
  const checkoutId = await pickId(app, 'checkouts');
  if (!checkoutId) return '';
  const result = await deleteCheckout(deps, { orgId: ORG.orgId, checkoutId });
  if (!(result instanceof Failure)) world().userRequests.deletedCheckoutIds.add(checkoutId);
  return describeOutcome(result);
}

async function removeAccount({ deps, inspector, world }: SimulatedApp): Promise<string> {
  const { random, userRequests } = world();
  const donor = random.pick(DONORS);
  const ownCheckouts = await inspector.selectFrom('checkouts').select('id').where('user_id', '=', donor).execute();
  const failure = await deleteUser(deps, donor);
  if (!failure) for (const { id } of ownCheckouts) userRequests.deletedCheckoutIds.add(id);
  return failure?.code ?? 'done';
}

async function recordCheck({ deps, world }: SimulatedApp): Promise<string> {
  const { random, now } = world();
  const key = { orgId: ORG.orgId, pledgeId: `pledge-${random.integer(1, 6)}` };
  const receivedOn = dayOf(now(), ORG.timeZone);
  const received = random.chance(0.5) ? { receivedOn, checkNumber: '', note: '' } : undefined;
  const check = {
    name: 'Dora',
    email: 'dora@example.org',
    postalAddress: '',
    amount: random.integer(1, 900),
    received,
  };
  return describeOutcome(await recordPledge(deps, key, check, { actorId: EDITOR, timeZone: ORG.timeZone }));
}

async function receiveCheck(app: SimulatedApp): Promise<string> {
  const { deps, world } = app;
  const { random, now } = world();
  const pledgeId = await pickId(app, 'pledges');
  if (!pledgeId) return '';
  const receivedAt = new Date(now().getTime() - random.pick([0, 0, 1, 40]) * DAY);
  const receivedOn = dayOf(receivedAt, ORG.timeZone);
  const check = { receivedOn, checkNumber: '7', note: '', amount: random.integer(1, 900) };
  const receipt = { actorId: EDITOR, timeZone: ORG.timeZone, check };
  return describeOutcome(await receivePledge(deps, { orgId: ORG.orgId, pledgeId }, receipt));
}

/** Deposits all checks and marks all lines as seen on the bank statement before closing the month. */
async function closeBankMonth({ deps, world }: SimulatedApp): Promise<string> {
  const { random, now } = world();
  const bank = await readBankMonth(deps.db.kysely, deps, ORG_WITH_TIME_ZONE);
  if (bank instanceof Failure) return bank.code;
  if (bank.checks.length > 0) {
    const id = `deposit-${now().getTime()}-${random.integer(1, 1_000_000)}`;
    const entryIds = bank.checks.map(({ entryid }) => entryid);
    const deposit = { id, depositedOn: dayOf(now(), ORG.timeZone), entryIds };
    const result = await saveDeposit(deps, ORG_WITH_TIME_ZONE, { ...deposit, userId: EDITOR });
    if (result instanceof Failure) return result.code;
  }
  for (const { kind, id } of bank.lines)
    await markBankLine(deps, ORG_WITH_TIME_ZONE, { kind, id, isSeen: true, userId: EDITOR });
  return describeOutcome(await closeMonth(deps, ORG_WITH_TIME_ZONE, { month: bank.month, userId: EDITOR }));
}

async function reopenBankMonth({ deps, inspector }: SimulatedApp): Promise<string> {
  const closing = await inspector
    .selectFrom('month_changes')
    .select('month')
    .where('action', '=', 'closed')
    .orderBy('month', 'desc')
    .executeTakeFirst();
  if (!closing) return '';
  const change = { month: closing.month, userId: EDITOR, reason: 'A check was missing' };
  return describeOutcome(await reopenMonth(deps, ORG_WITH_TIME_ZONE, change));
}

const ORG_WITH_TIME_ZONE = { id: ORG.orgId, timeZone: ORG.timeZone } as const;

async function reverseCheck({ deps, inspector, world }: SimulatedApp): Promise<string> {
  const { random } = world();
  const checks = await inspector
    .selectFrom('ledger_entries')
    .select(['id', 'pledge_id'])
    .where('kind', '=', 'check')
    .orderBy('id')
    .execute();
  if (checks.length === 0) return '';
  const { id: entryId, pledge_id } = random.pick(checks);
  const cause = random.pick(['bounced', 'mistake'] as const);
  const key = { orgId: ORG.orgId, pledgeId: pledge_id ?? '' };
  return describeOutcome(await reversePledge(deps, key, { entryid: entryId, cause, reason: 'It came back' }, EDITOR));
}

const GRANT_IDS = ['grant-1', 'grant-2', 'grant-3'] as const;

async function applyForGrant({ deps, world }: SimulatedApp): Promise<string> {
  const { random, now } = world();
  const [otherFunding, otherReason] = random.pick([
    [0, ''],
    [random.integer(1, 300), ''],
    [random.integer(1, 300), 'No other funder counts it'],
  ] as const);
  const facts: GrantFacts = {
    awardeeid: random.pick(AWARDEE_IDS),
    appliedOn: dayOf(now(), ORG.timeZone),
    amount: random.integer(1, 300),
    measures: ['heat-pump'],
    installer: '',
    publicFields: [],
    method: 'audit',
    methodSource: 'An audit',
    yearlyPounds: random.integer(1, 2000),
    years: random.integer(1, 30),
    otherFunding,
    otherFundingSource: 'The state',
    fullSavingsReason: otherReason,
  };
  const key = { orgId: ORG.orgId, grantId: random.pick(GRANT_IDS) };
  return describeOutcome(await runAsEditor(() => saveGrant(deps, key, facts, ORG.timeZone)));
}

async function promise(app: SimulatedApp): Promise<string> {
  const { deps, world } = app;
  const grant = await pickGrant(app);
  if (!grant) return '';
  return describeOutcome(
    await runAsEditor(() => promiseGrant(deps, grant.key, { on: dayOf(world().now(), ORG.timeZone) }, EDIT_CONTEXT)),
  );
}

async function pay(app: SimulatedApp): Promise<string> {
  const { deps, world } = app;
  const grant = await pickGrant(app);
  if (!grant) return '';
  const amount = world().random.chance(0.5) ? toDollars(grant.amount_cents) : world().random.integer(1, 300);
  return describeOutcome(
    await runAsEditor(() =>
      payGrant(deps, grant.key, { on: dayOf(world().now(), ORG.timeZone), amount }, EDIT_CONTEXT),
    ),
  );
}

async function recordWork(app: SimulatedApp): Promise<string> {
  const { deps, world } = app;
  const grant = await pickGrant(app);
  if (!grant) return '';
  const doneOn = world().random.chance(0.8) ? dayOf(world().now(), ORG.timeZone) : null;
  return describeOutcome(
    await runAsEditor(() => recordGrantWork(deps, grant.key, { doneOn, inspectedOn: null }, ORG.timeZone)),
  );
}

async function reverseGrantEntry(app: SimulatedApp): Promise<string> {
  const grant = await pickGrant(app);
  const entryId = grant?.paid_entry_id ?? grant?.promised_entry_id;
  if (!grant || !entryId) return '';
  return describeOutcome(
    await runAsEditor(() =>
      reverseGrant(app.deps, grant.key, { entryid: entryId, reason: 'They moved away' }, EDIT_CONTEXT),
    ),
  );
}

/** Attributes the change to the editor. */
function runAsEditor<Result>(work: () => Promise<Result>): Promise<Result> {
  return runAsAuthor({ userId: EDITOR, ipAddress: '127.0.0.1' }, work);
}

const EDIT_CONTEXT = { actorId: EDITOR, timeZone: ORG.timeZone } as const;

async function pickGrant({ inspector, world }: SimulatedApp) {
  const columns = ['id', 'amount_cents', 'paid_entry_id', 'promised_entry_id'] as const;
  const grants = await inspector.selectFrom('grants').select(columns).orderBy('id').execute();
  if (grants.length === 0) return undefined;
  const { id, ...grant } = world().random.pick(grants);
  return { ...grant, key: { orgId: ORG.orgId, grantId: id } };
}

async function resendReceipt({ deps, inspector, world }: SimulatedApp): Promise<string> {
  const receipts = await inspector.selectFrom('receipts').select('ledger_entry_id').orderBy('number').execute();
  if (receipts.length === 0) return '';
  const { ledger_entry_id: entryId } = world().random.pick(receipts);
  return describeOutcome(await sendReceipt(deps, { orgId: ORG.orgId, entryId }));
}

async function pickId({ inspector, world }: SimulatedApp, table: 'checkouts' | 'pledges'): Promise<string | undefined> {
  const rows = await inspector.selectFrom(table).select('id').orderBy('id').execute();
  return rows.length === 0 ? undefined : world().random.pick(rows).id;
}

async function pickGift({ inspector, world }: SimulatedApp) {
  const gifts = await inspector.selectFrom('subscriptions').selectAll().orderBy('id').execute();
  return gifts.length === 0 ? undefined : world().random.pick(gifts);
}

function describeOutcome(result: object): string {
  return result instanceof Failure ? result.code : 'done';
}
