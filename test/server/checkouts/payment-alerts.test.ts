import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import { DEFAULT_EMAIL_CHOICES } from '#domain/team-emails.ts';
import { sendAlertEmail } from '#server/features/payments/send-alert-email.job.ts';
import { saveEmailChoices } from '#server/features/team-emails/email-choices.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { PARENT } from '#test/support/build-app.ts';
import { PAYER } from '#test/support/card-provider.ts';
import { type DonationSetup, startDonationSetup } from '#test/support/donation-setup.ts';
import { createJobRecorder } from '#test/support/job-recorder.ts';
import { signIn } from '#test/support/sign-in.ts';

const jobs = createJobRecorder();
const setup: DonationSetup = await startDonationSetup({ jobs });
const { deps, db, orgId, provider } = setup;
const treasurer = await signIn(deps, { editorOf: [orgId], role: 'money' });
await signIn(deps, { editorOf: [orgId], role: 'texts' });

async function readAttention(): Promise<AttentionItem[]> {
  return (await setup.call('GET', callPath('readAttention', { orgid: orgId }), undefined, treasurer)).json();
}

async function sendAlerts(): Promise<Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email) };
  const lastJob = jobs.findPayloads(sendAlertEmail).at(-1);
  if (lastJob)
    await sendAlertEmail.run({ db, parent: PARENT, publicUrl: () => 'https://fund.example', mailer }, lastJob);
  return sentEmails;
}

async function openDispute(): Promise<{ readonly checkoutId: string; readonly disputeId: string }> {
  const { id: checkoutId, paymentUrl } = await setup.openAndPay();
  const charge = await provider.readChargeId(paymentUrl);
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'dispute' });
  await provider.deliverEvents();
  const { data } = await provider.stripe.disputes.list({ charge });
  return { checkoutId, disputeId: data[0]?.id ?? '' };
}

test('an open dispute needs attention with its deadline, and members with access to payments get one email', async () => {
  const { checkoutId, disputeId } = await openDispute();
  const { evidence_details } = await provider.stripe.disputes.retrieve(disputeId);
  expect(await readAttention()).toMatchObject([
    {
      reason: 'dispute',
      amount: 2500,
      checkoutid: checkoutId,
      providerId: disputeId,
      dueTimestamp: new Date((evidence_details.due_by ?? 0) * 1000).toISOString(),
      resolution: null,
    },
  ]);
  expect(jobs.findPayloads(sendAlertEmail).map(({ userId }) => userId)).toEqual([treasurer.userId]);
  const [email] = await sendAlerts();
  expect(email?.to).toBe(treasurer.email);
  expect(email?.subject).toBe(`${PAYER.name} disputed $25.00`);
  for (const expectedText of ['$25.00', PAYER.name, PAYER.email, 'Respond in Stripe by March 23, 2026.'])
    expect(email?.text).toContain(expectedText);
  const member = { orgId, userId: treasurer.userId };
  await saveEmailChoices(db.kysely, member, { ...DEFAULT_EMAIL_CHOICES, problems: 'never' });
  expect(await sendAlerts()).toEqual([]);
  await saveEmailChoices(db.kysely, member, DEFAULT_EMAIL_CHOICES);

  await provider.submitDashboardForm(`disputes/${disputeId}`, { outcome: 'win' });
  await provider.deliverEvents();
  expect(await readAttention()).toMatchObject([{ resolution: { note: 'The dispute was won.', by: null } }]);
  expect(jobs.findPayloads(sendAlertEmail)).toHaveLength(1);
  expect(await sendAlerts()).toEqual([]);
});

test('a resolved dispute needs attention again if its deadline changes', async () => {
  const { disputeId } = await openDispute();
  const disputeSubject = `dispute:${disputeId}`;
  const resolvedColumns = { resolved_at: deps.now(), resolution: 'manual', note: 'Evidence was sent' } as const;
  await db.kysely.updateTable('attention_items').set(resolvedColumns).where('subject', '=', disputeSubject).execute();
  const events = await provider.stripe.events.list({ type: 'charge.dispute.created' });
  const concernsDispute = ({ data }: (typeof events.data)[number]) =>
    'id' in data.object && data.object.id === disputeId;
  const { id: eventId = '' } = events.data.find(concernsDispute) ?? {};
  const pendingEvent = { outcome: 'pending', next_attempt_at: deps.now() } as const;
  const markPending = () =>
    db.kysely.updateTable('provider_events').set(pendingEvent).where('id', '=', eventId).execute();
  await markPending();
  await provider.deliverEvents();
  expect((await readAttention()).filter(({ resolution }) => resolution === null)).toEqual([]);

  const earlierDeadline = { due_at: new Date('2026-01-01') };
  await db.kysely.updateTable('attention_items').set(earlierDeadline).where('subject', '=', disputeSubject).execute();
  await markPending();
  await provider.deliverEvents();
  expect((await readAttention()).filter(({ resolution }) => resolution === null)).toMatchObject([
    { providerId: disputeId },
  ]);
  await provider.submitDashboardForm(`disputes/${disputeId}`, { outcome: 'lose' });
  await provider.deliverEvents();
});

test('a fraud warning needs attention until its gift is refunded', async () => {
  const alertCount = jobs.findPayloads(sendAlertEmail).length;
  const { paymentUrl } = await setup.openAndPay();
  const charge = await provider.readChargeId(paymentUrl);
  await provider.submitDashboardForm(`charges/${charge}`, { action: 'warn' });
  await provider.deliverEvents();
  const readOpenItems = async () => (await readAttention()).filter(({ resolution }) => resolution === null);
  expect(await readOpenItems()).toMatchObject([{ reason: 'fraud-warning', amount: 2500, dueTimestamp: null }]);
  expect(jobs.findPayloads(sendAlertEmail)).toHaveLength(alertCount + 1);
  expect((await sendAlerts())[0]?.text).toContain('refund the gift now');
  await provider.stripe.refunds.create({ charge });
  await provider.deliverEvents();
  expect(await readOpenItems()).toEqual([]);
});
