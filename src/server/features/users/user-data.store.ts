import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { UserId } from '#domain/ids.ts';
import type { StoredPhoto } from '#server/db/column-types.ts';
import type { Tables } from '#server/db/tables.ts';
import { INVITATIONS, TEAM_ROLES } from '#server/db/team-roles.ts';
import type { UserRow } from '#server/entities/find-user.ts';

/*
 * Reads and deletes everything stored about a user, in all organizations. Add every new table to both `readUserData` and
 * `deleteUserData`.
 */

/**
 * A user whose data is read or deleted: the account's data and, if the email address is verified, the address's data
 * (decisions §4).
 */
export type DataOwner = { readonly userId: UserId; readonly verifiedEmail: string | undefined };

export function toDataOwner(user: Pick<UserRow, 'id' | 'email' | 'email_verified'>): DataOwner {
  return { userId: user.id, verifiedEmail: user.email_verified ? user.email : undefined };
}

/** Matches rows with the user's address, or no rows if the address is unverified. */
function hasAddress(column: string, { verifiedEmail }: DataOwner) {
  return sql<SqlBool>`lower(${sql.ref(column)}) = ${verifiedEmail ?? null}`;
}

function belongsTo(userColumn: string, emailColumn: string, owner: DataOwner) {
  return sql<SqlBool>`(${sql.ref(userColumn)} = ${owner.userId} or ${hasAddress(emailColumn, owner)})`;
}

/** Matches the user's stories. A story with the user's address may belong to another user. */
function isUserStory(owner: DataOwner) {
  return sql<SqlBool>`(user_id = ${owner.userId} or (user_id is null and ${hasAddress('email', owner)}))`;
}

const TIME_COLUMNS = ['created_at', 'updated_at'] as const;

export async function readUserData(db: Kysely<Tables>, owner: DataOwner) {
  const { userId } = owner;
  return {
    account: await db
      .selectFrom('users')
      .select([
        'id',
        'email',
        'email_verified',
        'display_name',
        'photo_url',
        'admin',
        'is_anonymous',
        'language',
        ...TIME_COLUMNS,
      ])
      .where('id', '=', userId)
      .executeTakeFirst(),
    waysOfSigningIn: await db
      .selectFrom('accounts')
      .select(['provider_id as provider', 'account_id', ...TIME_COLUMNS])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    sessions: await db
      .selectFrom('sessions')
      .select([
        ...TIME_COLUMNS,
        'name',
        'used_at',
        'authenticated_at',
        'authentication_method',
        'second_factor_at',
        'expires_at',
        'max_expires_at',
      ])
      .select('ip_address')
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    passkeys: await db
      .selectFrom('passkeys')
      .select(['name', 'created_at', 'used_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    authenticatorApps: await db
      .selectFrom('authenticators')
      .select('created_at')
      .where('user_id', '=', userId)
      .execute(),
    recoveryCodes: await db
      .selectFrom('recovery_codes')
      .select(['created_at', sql<number>`jsonb_array_length(hashes)`.as('left')])
      .where('user_id', '=', userId)
      .execute(),
    emailCodes: await db
      .selectFrom('email_codes')
      .select(['purpose', 'email', 'created_at', 'expires_at', 'used_at'])
      .where(belongsTo('user_id', 'email', owner))
      .orderBy('created_at')
      .execute(),
    // Excludes values that may be someone else's data, and IP addresses of editors and admins who acted on the user.
    activity: await db
      .selectFrom('activities')
      .select(['org_id', 'kind', 'verb', 'created_at'])
      .select(
        sql<string | null>`case when actor_id = ${userId} or kind = 'login-failed' then ip_address end`.as('client'),
      )
      .where((row) => row.or([row('actor_id', '=', userId), row('affected_user_id', '=', userId)]))
      .orderBy('id')
      .execute(),
    roles: await db
      .selectFrom(TEAM_ROLES.as('user_roles'))
      .select(['org_id', 'role', 'display_name', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    invitationsReceived: await db
      .selectFrom(INVITATIONS.as('open_invitations'))
      .select(['org_id', 'email', 'role', 'created_at'])
      .where(hasAddress('email', owner))
      .orderBy('created_at')
      .execute(),
    // Excludes the invited address, which is someone else's data.
    invitationsMade: await db
      .selectFrom(INVITATIONS.as('open_invitations'))
      .select(['org_id', 'created_at'])
      .where('invited_by', '=', userId)
      .orderBy('created_at')
      .execute(),
    emailChoices: await db
      .selectFrom('email_choices')
      .select(['org_id', 'gifts', 'stories', 'problems', 'statements'])
      .where('user_id', '=', userId)
      .orderBy('org_id')
      .execute(),
    // Excludes the subjects, which are other people's gifts and stories.
    teamEmails: await db
      .selectFrom('team_emails')
      .select(['org_id', 'kind', 'status', 'last_attempt_at'])
      .where('user_id', '=', userId)
      .orderBy('last_attempt_at')
      .execute(),
    textsSaved: await db
      .selectFrom('cells')
      .select(['org_id', 'page', 'name', 'markdown', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    textVersionsSaved: await db
      .selectFrom('cell_versions')
      .select(['org_id', 'page', 'name', 'markdown', 'created_at'])
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute(),
    // Excludes the awardee, who is someone else.
    consentsRecorded: await db
      .selectFrom('awardees')
      .select(['org_id', 'consented_at as given_at', 'consent_revoked_at as revoked_at'])
      .where('consent_recorded_by', '=', userId)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    offsetters: await db
      .selectFrom('offsetters')
      .select([
        'id',
        'org_id',
        'checkout_id',
        'email',
        'name',
        'story',
        'language',
        'photo',
        'photo_token',
        'shown_as',
        'status',
      ])
      .select(['shows_pounds', 'shows_homes', 'last_offset_at', 'created_at'])
      .where(isUserStory(owner))
      .orderBy('created_at')
      .execute(),
    ...(await readMoneyData(db, owner)),
  };
}

export type UserData = Awaited<ReturnType<typeof readUserData>>;

async function readMoneyData(db: Kysely<Tables>, owner: DataOwner) {
  const checkouts = await db
    .selectFrom('checkouts')
    .select([
      'id',
      'org_id',
      'cart',
      'total_cents',
      'covered_fee_cents',
      'covered_renewal_fee_cents',
      'carbon',
      'currency',
      'payment_status',
      'completed',
      'display_name',
    ])
    .select(['email', 'offsetter_id', 'provider_session_id', 'provider_payment_id', 'provider_customer_id'])
    .select(['provider_subscription_id', 'language', 'paid_at', 'created_at'])
    .where(belongsTo('user_id', 'email', owner))
    .orderBy('created_at')
    .execute();
  const pledges = await db
    .selectFrom('pledges')
    .select(['id', 'org_id', 'name', 'email', 'amount_cents', 'status', 'received_cents as received_amount_cents'])
    .select('postal_address')
    .select(['received_at', 'check_number', 'note', 'reversal_reason', 'language', 'created_at'])
    .where(hasAddress('email', owner))
    .orderBy('created_at')
    .execute();
  return {
    checkouts,
    pledges,
    teamNotes: await db
      .selectFrom('team_notes')
      .select(['id', 'org_id', 'checkout_id', 'pledge_id', 'donor_id', 'text', 'created_at'])
      // Excludes notes that the user wrote about others.
      .where((note) =>
        note.or([
          sql<SqlBool>`checkout_id = any(${toIdArray(checkouts)})`,
          sql<SqlBool>`pledge_id = any(${toIdArray(pledges)})`,
          note('donor_id', 'in', note.selectFrom('donors').select('donors.id').where(isUserDonor(owner))),
        ]),
      )
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute(),
    // Excludes the texts, which are about other people.
    teamNotesWritten: await db
      .selectFrom('team_notes')
      .select(['org_id', 'created_at'])
      .where('author_id', '=', owner.userId)
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .execute(),
    receipts: await db
      .selectFrom('receipts')
      .select([
        'org_id',
        'printed_number as number',
        'checkout_id',
        'email',
        'alternate_email',
        'name',
        'amount_cents',
        'issued_at',
      ])
      .select(['next_charge_at', 'document'])
      .where(isUserReceipt(owner, toIdArray(checkouts), toIdArray(pledges)))
      .orderBy('issued_at')
      .execute(),
    donors: await db
      .selectFrom('donors')
      .select(['org_id', 'name', 'email', 'corrected_email', 'postal_address', 'correction_reason', 'created_at'])
      .where(isUserDonor(owner))
      .orderBy('created_at')
      .execute(),
    bankMarks: await db
      .selectFrom('bank_marks')
      .select(['org_id', 'kind', 'created_at'])
      .where('user_id', '=', owner.userId)
      .orderBy('created_at')
      .execute(),
    depositsRecorded: await db
      .selectFrom('deposits')
      .select(['org_id', 'deposited_on', 'created_at'])
      .where('user_id', '=', owner.userId)
      .orderBy('created_at')
      .execute(),
    monthChanges: await db
      .selectFrom('month_changes')
      .select(['org_id', 'month', 'action', 'reason', 'created_at'])
      .where('user_id', '=', owner.userId)
      .orderBy('id')
      .execute(),
    tributes: await db
      .selectFrom('tributes')
      .select([
        'checkout_id',
        'kind',
        'name',
        'card_email',
        'card_name',
        'card_message',
        'card_signature',
        'card_status',
      ])
      .select(['card_status_at', 'created_at'])
      .where(sql<SqlBool>`checkout_id = any(${toIdArray(checkouts)})`)
      .orderBy('created_at')
      .execute(),
    refunds: await db
      .selectFrom('payment_returns')
      .innerJoin('payments', 'payments.entry_id', 'payment_returns.entry_id')
      .select([
        'payments.checkout_id',
        'payment_returns.kind',
        'payment_returns.amount_cents',
        'payment_returns.status',
        'payment_returns.reason',
      ])
      .select('payment_returns.occurred_at')
      .where(sql<SqlBool>`payments.checkout_id = any(${toIdArray(checkouts)})`)
      .orderBy('payment_returns.occurred_at')
      .execute(),
    grantEmails: await db
      .selectFrom('grant_emails')
      .innerJoin('ledger_entries', 'ledger_entries.id', 'grant_emails.entry_id')
      .select(['grant_emails.org_id', 'grant_emails.entry_id', 'grant_emails.status', 'grant_emails.last_attempt_at'])
      .where(sql<SqlBool>`(checkout_id = any(${toIdArray(checkouts)}) or pledge_id = any(${toIdArray(pledges)}))`)
      .orderBy('grant_emails.last_attempt_at')
      .execute(),
    ledgerEntries: await db
      .selectFrom('ledger_entries')
      .select(['id', 'org_id', 'kind', 'checkout_id', 'pledge_id', 'amount_cents', 'carbon', 'reason', 'occurred_at'])
      .where(
        sql<SqlBool>`(checkout_id = any(${toIdArray(checkouts)}) or pledge_id = any(${toIdArray(pledges)})
          or actor_id = ${owner.userId})`,
      )
      .orderBy('occurred_at')
      .execute(),
  };
}

/** Matches the donor records of the user's account or verified address. */
function isUserDonor({ userId, verifiedEmail }: DataOwner) {
  return sql<SqlBool>`(donors.user_id = ${userId} or donors.identity = ${`email:${verifiedEmail}`})`;
}

const toIdArray = (rows: readonly { readonly id: string }[]) => sql<string[]>`${rows.map(({ id }) => id)}::text[]`;

/** Matches receipts of the user's gifts, even if they were sent to another address. */
function isUserReceipt(owner: DataOwner, checkouts: RawBuilder<string[]>, pledges: RawBuilder<string[]>) {
  const pledgeEntries = sql`(select id from ledger_entries where pledge_id = any(${pledges}))`;
  return sql<SqlBool>`(checkout_id = any(${checkouts}) or ledger_entry_id in ${pledgeEntries} or ${hasAddress('email', owner)})`;
}

/** Lists checkouts that the provider may still charge for: open pages, pending debits, recurring gifts. */
export function listChargeableCheckouts(db: Kysely<Tables>, owner: DataOwner) {
  return db
    .selectFrom('checkouts')
    .select(['payment_status', 'provider_session_id', 'provider_subscription_id'])
    .where(belongsTo('user_id', 'email', owner))
    .where((row) =>
      row.or([row('payment_status', 'in', ['unpaid', 'processing']), row('provider_subscription_id', 'is not', null)]),
    )
    .execute();
}

/**
 * Deletes a user's data. Keeps the records that the ledger needs, without the user's name and address. A trigger deletes the
 * tributes of the user's checkouts.
 * @returns photos whose files must be removed
 */
export async function deleteUserData(tx: Transaction<Tables>, owner: DataOwner, now: Date): Promise<StoredPhoto[]> {
  const stories = await tx.deleteFrom('offsetters').where(isUserStory(owner)).returning('photo').execute();
  const checkouts = await tx
    .updateTable('checkouts')
    .set({
      // Another user may have made this checkout with the address. Keep that user's id.
      user_id: sql<null>`nullif(user_id, ${owner.userId})`,
      email: null,
      display_name: null,
      creator_hash: null,
      provider_customer_id: null,
      language: null,
      payer_erased_at: now,
    })
    .where(belongsTo('user_id', 'email', owner))
    .returning('id')
    .execute();
  const pledges = await tx
    .updateTable('pledges')
    .set({ email: null, name: null, postal_address: null, note: null, reversal_reason: null, language: null })
    .where(hasAddress('email', owner))
    .returning('id')
    .execute();
  await tx
    .updateTable('receipts')
    .set({ email: null, alternate_email: null, name: null, erase_payer_after_delivery: true })
    .where(isUserReceipt(owner, toIdArray(checkouts), toIdArray(pledges)))
    .execute();
  await tx.updateTable('receipts').set({ alternate_email: null }).where(hasAddress('alternate_email', owner)).execute();
  // Triggers erase the donors of these checkouts and pledges.
  await tx
    .updateTable('donors')
    .set({ corrected_email: null, correction_reason: null })
    .where(hasAddress('corrected_email', owner))
    .execute();
  await tx.deleteFrom('invitations').where(hasAddress('email', owner)).execute();
  await tx
    .deleteFrom('email_codes')
    .where(belongsTo('user_id', 'email', owner))
    .execute();
  // The database deletes sessions, accounts, and roles with the user, and removes the user's id from texts and
  // invitations.
  await tx.deleteFrom('users').where('id', '=', owner.userId).execute();
  return stories.flatMap(({ photo }) => photo ?? []);
}
