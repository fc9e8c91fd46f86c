import { expect, test } from 'vitest';
import { callPath } from '#contract/calls.ts';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import { DEFAULT_EMAIL_CHOICES } from '#domain/team-emails.ts';
import { sendAlertEmail } from '#server/features/payments/send-alert-email.job.ts';
import { saveEmailChoices } from '#server/features/team-emails/email-choices.ts';
import type { Email } from '#server/gateways/email/mailer.ts';
import { PARENT } from '#test/support/build-app.ts';
import { PAYER } from '#test/support/card-provider.ts';
import { type DonationSetup, startGiving } from '#test/support/giving.ts';
import { jobRecorder } from '#test/support/job-recorder.ts';
import { signIn } from '#test/support/sign-in.ts';

const jobs = jobRecorder();
const giving: DonationSetup = await startGiving({ jobs });
const { deps, db, orgId, provider } = giving;
const treasurer = await signIn(deps, { editorOf: [orgId], role: 'money' });
await signIn(deps, { editorOf: [orgId], role: 'texts' });

async function readAttention(): Promise<AttentionItem[]> {
  return (await giving.call('GET', callPath('readAttention', { orgid: orgId }), undefined, treasurer)).json();
}

async function sendAlerts(): Promise<Email[]> {
  const sentEmails: Email[] = [];
  const mailer = { send: async (email: Email) => void sentEmails.push(email), close: async () => {} };
  const lastJob = jobs.dataOf(sendAlertEmail).at(-1);
  if (lastJob)
    await sendAlertEmail.run({ db, parent: PARENT, publicUrl: () => 'https://fund.example', mailer }, lastJob);
  return sentEmails;
}

async function openDispute(): Promise<{ readonly checkoutId: string; readonly disputeId: string }> {
  const { id: checkoutId, paymentUrl } = await giving.openAndPay();
  const charge = await provider.chargeOf(paymentUrl);
  await provider.press(`charges/${charge}`, { action: 'dispute' });
  await provider.deliver();
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
  expect(jobs.dataOf(sendAlertEmail).map(({ userId }) => userId)).toEqual([treasurer.userId]);
  const [email] = await sendAlerts();
  expect(email?.to).toBe(treasurer.email);
  expect(email?.subject).toBe(`${PAYER.name} disputes $25.00`);
  for (const fact of ['$25.00', PAYER.name, PAYER.email, 'Respond in Stripe by March 23, 2026.'])
    expect(email?.text).toContain(fact);
  const member = { orgId, userId: treasurer.userId };
  await saveEmailChoices(db.kysely, member, { ...DEFAULT_EMAIL_CHOICES, problems: 'never' });
  expect(await sendAlerts()).toEqual([]);
  await saveEmailChoices(db.kysely, member, DEFAULT_EMAIL_CHOICES);

  await provider.press(`disputes/${disputeId}`, { outcome: 'win' });
  await provider.deliver();
  expect(await readAttention()).toMatchObject([{ resolution: { note: 'The dispute was won.', by: null } }]);
  expect(jobs.dataOf(sendAlertEmail)).toHaveLength(1);
  expect(await sendAlerts()).toEqual([]);
});

test('a resolved dispute needs attention again if its deadline changes', async () => {
  const { disputeId } = await openDispute();
  const dispute = `dispute:${disputeId}`;
  const resolvedColumns = { resolved_at: deps.now(), note: 'Evidence was sent' };
  await db.kysely.updateTable('attention_items').set(resolvedColumns).where('subject', '=', dispute).execute();
  const events = await provider.stripe.events.list({ type: 'charge.dispute.created' });
  const concernsDispute = ({ data }: (typeof events.data)[number]) =>
    'id' in data.object && data.object.id === disputeId;
  const { id: eventId = '' } = events.data.find(concernsDispute) ?? {};
  const pendingEvent = { outcome: 'pending', next_attempt_at: deps.now() } as const;
  const markPending = () =>
    db.kysely.updateTable('provider_events').set(pendingEvent).where('id', '=', eventId).execute();
  await markPending();
  await provider.deliver();
  expect((await readAttention()).filter(({ resolution }) => resolution === null)).toEqual([]);

  const earlierDeadline = { due_at: new Date('2026-01-01') };
  await db.kysely.updateTable('attention_items').set(earlierDeadline).where('subject', '=', dispute).execute();
  await markPending();
  await provider.deliver();
  expect((await readAttention()).filter(({ resolution }) => resolution === null)).toMatchObject([
    { providerId: disputeId },
  ]);
  await provider.press(`disputes/${disputeId}`, { outcome: 'lose' });
  await provider.deliver();
});

test('a fraud warning needs attention until its gift is refunded', async () => {
  const alertCount = jobs.dataOf(sendAlertEmail).length;
  const { paymentUrl } = await giving.openAndPay();
  const charge = await provider.chargeOf(paymentUrl);
  await provider.press(`charges/${charge}`, { action: 'warn' });
  await provider.deliver();
  const openItems = async () => (await readAttention()).filter(({ resolution }) => resolution === null);
  expect(await openItems()).toMatchObject([{ reason: 'fraud-warning', amount: 2500, dueTimestamp: null }]);
  expect(jobs.dataOf(sendAlertEmail)).toHaveLength(alertCount + 1);
  expect((await sendAlerts())[0]?.text).toContain('refund the gift now');
  await provider.stripe.refunds.create({ charge });
  await provider.deliver();
  expect(await openItems()).toEqual([]);
});
