import { sql } from 'kysely';
import { DEFAULT_EMAIL_CHOICES } from '#domain/team-emails.ts';
import type { Database } from '#server/db/connection.ts';
import { newId } from '#server/db/new-id.ts';
import type { Tables } from '#server/db/tables.ts';
import { addAttentionItem } from './builders/attention.ts';
import { addEditor } from './builders/editor.ts';
import { addCheck, addGift } from './builders/gift.ts';
import { addInvitation } from './builders/invitation.ts';
import { addOffsetter, addStory } from './builders/story.ts';
import { addTribute } from './builders/tribute.ts';
import type { SignedInPerson } from './sign-in.ts';

/** A person's data, stored so that tests can search for it. */
export const TRACES = {
  name: 'Trudi Traceworth',
  story: 'A traceable story of many, many words about flying less.',
  markdown: 'A traceable text',
  googleId: 'google-trace-4711',
  ipAddress: '203.0.113.77',
  customerId: 'cus_trace',
  passwordHash: 'hash-trace',
  device: 'Trudi’s traceable phone',
  honoreeName: 'Honoria Traceable',
  cardEmail: 'honoria.traceable@example.net',
  cardMessage: 'A traceable message',
  otherEmail: 'elsewhere.traceable@example.net',
} as const;

/** Stores a person's data in one organization, in every column that can contain it. */
export async function addTraces(
  db: Database,
  orgId: string,
  { userId, email, sessionId }: SignedInPerson,
  photo: string | null = null,
): Promise<void> {
  const { kysely } = db;
  await kysely.updateTable('users').set({ display_name: TRACES.name }).where('id', '=', userId).execute();
  await kysely.updateTable('sessions').set({ ip_address: TRACES.ipAddress }).where('id', '=', sessionId).execute();
  await kysely
    .insertInto('accounts')
    .values([
      { id: `${userId}-1`, user_id: userId, provider_id: 'google', account_id: `${TRACES.googleId}-${userId}` },
      {
        id: `${userId}-2`,
        user_id: userId,
        provider_id: 'credential',
        account_id: userId,
        password: TRACES.passwordHash,
      },
    ])
    .execute();
  await kysely
    .insertInto('email_codes')
    .values({ hash: `hash-of-${userId}`, purpose: 'sign-in', email, expires_at: new Date('2030-01-01') })
    .execute();
  await kysely
    .insertInto('passkeys')
    .values({
      id: `passkey-${userId}`,
      user_id: userId,
      public_key: 'key',
      counter: 0,
      transports: '[]',
      name: TRACES.device,
    })
    .execute();
  await kysely.insertInto('authenticators').values({ user_id: userId, key: 'key', last_step: 0 }).execute();
  await kysely.insertInto('recovery_codes').values({ user_id: userId, hashes: '["hash"]' }).execute();
  await kysely
    .insertInto('pending_logins')
    .values({
      hash: `half-${userId}`,
      user_id: userId,
      authentication_method: 'mail',
      challenge: null,
      expires_at: new Date('2030-01-01'),
    })
    .execute();
  await addEditor(db, orgId, userId, { display_name: TRACES.name });
  const removedEditor = { org_id: orgId, user_id: userId, display_name: TRACES.name };
  const createdAt = new Date('2026-01-01');
  await kysely
    .insertInto('removed_editors')
    .values({ ...removedEditor, created_at: createdAt, removed_at: createdAt })
    .execute();
  const member = { org_id: orgId, user_id: userId };
  await kysely
    .insertInto('email_choices')
    .values({ ...member, ...DEFAULT_EMAIL_CHOICES })
    .execute();
  const teamEmail = { ...member, kind: 'story', subject: 'story', last_attempt_at: createdAt };
  await kysely.insertInto('team_emails').values(teamEmail).execute();
  await addInvitation(db, orgId, { email });
  await addInvitation(db, orgId, { invited_by: userId });
  const cell = { org_id: orgId, page: 'home', name: 'intro', markdown: TRACES.markdown, html: '', user_id: userId };
  await kysely.insertInto('cells').values(cell).execute();
  const { html: _html, ...version } = cell;
  const storedVersion = { ...version, id: newId(), is_default: false };
  await kysely.insertInto('cell_versions').values(storedVersion).execute();
  const story = { name: TRACES.name, story: TRACES.story, photo };
  await addOffsetter(db, orgId, { ...story, user_id: userId, email });
  await addOffsetter(db, orgId, { ...story, email: email.toUpperCase() });
  await addStory(db, 'awardees', orgId, { consented_at: new Date('2026-03-14'), consent_recorded_by: userId });
  const payer = { display_name: TRACES.name, provider_customer_id: TRACES.customerId };
  const gift = await addGift(db, orgId, { ...payer, user_id: userId, email });
  await kysely
    .insertInto('payment_returns')
    .values({
      id: `re_${newId()}`,
      entry_id: gift.ledgerEntryId,
      kind: 'refund',
      amount_cents: 100,
      status: 'failed',
      reason: `${TRACES.name} gave twice`,
      occurred_at: new Date('2026-03-15'),
    })
    .execute();
  await kysely
    .insertInto('provider_events')
    .values({
      id: `evt_${newId()}`,
      type: 'checkout.session.completed',
      outcome: 'recorded',
      livemode: false,
      checkout_id: gift.checkoutId,
      payload: JSON.stringify({ data: { object: { customer_details: { email, name: TRACES.name } } } }),
      occurred_at: new Date('2026-03-14'),
    })
    .execute();
  await kysely
    .insertInto('provider_events')
    .values({
      id: `evt_${newId()}`,
      type: 'charge.succeeded',
      outcome: 'unsupported',
      livemode: false,
      payload: JSON.stringify({
        data: { object: { billing_details: { email: email.toUpperCase(), name: TRACES.name } } },
      }),
      occurred_at: new Date('2026-03-14'),
    })
    .execute();
  await addAttentionItem(db, orgId, { resolved_at: new Date('2026-03-14'), resolved_by: userId, note: 'Refunded' });
  const { checkoutId } = await addGift(db, orgId, { ...payer, email: email.toUpperCase() });
  await addTribute(db, {
    checkout_id: checkoutId,
    org_id: orgId,
    kind: 'honor',
    name: TRACES.honoreeName,
    card_email: TRACES.otherEmail,
    card_name: TRACES.honoreeName,
    card_message: TRACES.cardMessage,
    card_signature: TRACES.name,
    card_status: 'sent',
    card_status_at: new Date('2026-03-14'),
  });
  const { donor_id: donorId } = await kysely
    .selectFrom('checkouts')
    .select('donor_id')
    .where('id', '=', gift.checkoutId)
    .executeTakeFirstOrThrow();
  await kysely
    .updateTable('donors')
    .set({ corrected_email: TRACES.otherEmail, postal_address: TRACES.name, correction_reason: TRACES.name })
    .where('id', '=', donorId)
    .execute();
  const author = { org_id: orgId, user_id: userId };
  const deposit = { ...author, id: newId(), deposited_on: '2026-03-16' };
  await kysely.insertInto('deposits').values(deposit).execute();
  await kysely
    .insertInto('bank_marks')
    .values({ ...author, kind: 'deposit', subject: deposit.id })
    .execute();
  await kysely
    .insertInto('month_changes')
    .values({ ...author, month: '2026-01', action: 'closed' })
    .execute();
  // An editor emailed the receipt and card to another address.
  await kysely
    .updateTable('receipts')
    .set({ email: TRACES.otherEmail })
    .where('checkout_id', '=', checkoutId)
    .execute();
  await kysely
    .updateTable('tributes')
    .set({ card_email: TRACES.cardEmail })
    .where('checkout_id', '=', checkoutId)
    .execute();
  const pledgeId = await addCheck(db, orgId, email);
  const notes = [
    { id: newId(), org_id: orgId, donor_id: donorId, text: `${TRACES.name} moved`, author_id: userId },
    { id: newId(), org_id: orgId, checkout_id: gift.checkoutId, text: `${TRACES.name} asked for a call` },
    { id: newId(), org_id: orgId, pledge_id: pledgeId, text: `${TRACES.name} wrote a letter`, author_id: userId },
  ];
  for (const note of notes) await kysely.insertInto('team_notes').values(note).execute();
  await kysely
    .updateTable('pledges')
    .set({ name: TRACES.name, note: `Thanks to ${TRACES.name}`, reversal_reason: `${TRACES.name} has moved` })
    .where('email', '=', email)
    .execute();
}

/** All table names, sorted. */
export async function readTableNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
    order by table_name`.execute(db.kysely);
  return rows.map(({ name }) => name);
}

/** The tables that contain any of these texts, with the texts. */
export async function findTraces(db: Database, texts: readonly string[]): Promise<Record<string, string[]>> {
  const traces: Record<string, string[]> = {};
  for (const name of await readTableNames(db)) {
    const content = await sql<{ text: string }>`select coalesce(string_agg(t::text, ' '), '') as text from ${sql.table(
      name as keyof Tables,
    )} t`.execute(db.kysely);
    const tableText = (content.rows[0]?.text ?? '').toLowerCase();
    const matches = texts.filter((text) => tableText.includes(text.toLowerCase()));
    if (matches.length > 0) traces[name] = matches;
  }
  return traces;
}
