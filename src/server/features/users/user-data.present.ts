import { dollarsOf, poundsOf } from '#domain/money.ts';
import { presentPicture } from '#server/profiles/present-profile.ts';
import type { UserData } from './user-data.store.ts';

/** Everything stored about a user, money in dollars and carbon in pounds. Password hashes and session keys are left out. */
export function presentUserData(rows: UserData, madeAt: Date) {
  const { account, ...rest } = rows;
  return {
    madeTimestamp: madeAt,
    account: account && {
      id: account.id,
      email: account.email,
      emailVerified: account.email_verified,
      displayName: account.display_name,
      photoURL: account.photo_url,
      admin: account.admin,
      isAnonymous: account.is_anonymous,
      createdTimestamp: account.created_at,
      updatedTimestamp: account.updated_at,
    },
    ...signingInOf(rest),
    ...workOf(rest),
    offsetters: rest.offsetters.map(offsetterData),
    checkouts: rest.checkouts.map(checkoutData),
    receipts: rest.receipts.map(receiptData),
    pledges: rest.pledges.map(pledgeData),
    ledgerEntries: rest.ledger.map(ledgerData),
  };
}

type Rows = Omit<UserData, 'account'>;
type Row<Name extends keyof Rows> = Rows[Name][number];

function signingInOf({ waysOfSigningIn, sessions, mailedLinks }: Rows) {
  return {
    waysOfSigningIn: waysOfSigningIn.map((way) => ({
      provider: way.provider_id,
      accountId: way.account_id,
      scope: way.scope,
      createdTimestamp: way.created_at,
      updatedTimestamp: way.updated_at,
    })),
    sessions: sessions.map((session) => ({
      startedTimestamp: session.created_at,
      updatedTimestamp: session.updated_at,
      expiresTimestamp: session.expires_at,
      ipAddress: session.ip_address,
      userAgent: session.user_agent,
    })),
    mailedLinks: mailedLinks.map((link) => ({
      purpose: link.purpose,
      email: link.email,
      createdTimestamp: link.created_at,
      expiresTimestamp: link.expires_at,
      usedTimestamp: link.used_at,
    })),
  };
}

function workOf({ roles, invitationsReceived, invitationsMade, texts, textVersions, consentsRecorded }: Rows) {
  return {
    roles: roles.map((role) => ({
      orgid: role.org_id,
      role: role.role,
      displayName: role.display_name,
      createdTimestamp: role.created_at,
    })),
    invitationsReceived: invitationsReceived.map((invitation) => ({
      orgid: invitation.org_id,
      email: invitation.email,
      createdTimestamp: invitation.created_at,
    })),
    invitationsMade: invitationsMade.map((invitation) => ({
      orgid: invitation.org_id,
      createdTimestamp: invitation.created_at,
    })),
    textsSaved: texts.map(textData),
    textVersionsSaved: textVersions.map(textData),
    consentsRecorded: consentsRecorded.map((consent) => ({
      orgid: consent.org_id,
      givenTimestamp: consent.consented_at,
      revokedTimestamp: consent.consent_revoked_at,
    })),
  };
}

function textData(text: Row<'texts'>) {
  return {
    orgid: text.org_id,
    page: text.page,
    name: text.name,
    markdown: text.markdown,
    createdTimestamp: text.created_at,
  };
}

function offsetterData(row: Row<'offsetters'>) {
  return {
    id: row.id,
    orgid: row.org_id,
    checkoutid: row.checkout_id,
    email: row.email,
    name: row.name,
    story: row.story,
    photo: presentPicture(row.photo),
    shownAs: row.shown_as,
    status: row.status,
    lastOffsetTimestamp: row.last_offset_at,
    createdTimestamp: row.created_at,
  };
}

function checkoutData(row: Row<'checkouts'>) {
  return {
    id: row.id,
    orgid: row.org_id,
    cart: row.cart,
    total: dollarsOf(row.total_cents),
    carbon: poundsOf(row.carbon),
    currency: row.currency,
    paymentStatus: row.payment_status,
    completed: row.completed,
    displayName: row.display_name,
    email: row.email,
    offsetterid: row.offsetter_id,
    paymentProvider: {
      sessionId: row.provider_session_id,
      paymentId: row.provider_payment_id,
      customerId: row.provider_customer_id,
      subscriptionId: row.provider_subscription_id,
    },
    paidTimestamp: row.paid_at,
    createdTimestamp: row.created_at,
  };
}

function receiptData(row: Row<'receipts'>) {
  return {
    orgid: row.org_id,
    number: row.number,
    checkoutid: row.checkout_id,
    email: row.email,
    name: row.name,
    amount: dollarsOf(row.amount_cents),
    issuedTimestamp: row.issued_at,
    nextChargeTimestamp: row.next_charge_at,
  };
}

function pledgeData(row: Row<'pledges'>) {
  return {
    id: row.id,
    orgid: row.org_id,
    name: row.name,
    email: row.email,
    amount: dollarsOf(row.amount_cents),
    status: row.status,
    receivedAmount: row.received_cents === null ? null : dollarsOf(row.received_cents),
    receivedTimestamp: row.received_at,
    checkNumber: row.check_number,
    note: row.note,
    createdTimestamp: row.created_at,
  };
}

function ledgerData(row: Row<'ledger'>) {
  return {
    id: row.id,
    orgid: row.org_id,
    kind: row.kind,
    checkoutid: row.checkout_id,
    pledgeid: row.pledge_id,
    amount: dollarsOf(row.amount_cents),
    carbon: poundsOf(row.carbon),
    reason: row.reason,
    occurredTimestamp: row.occurred_at,
  };
}
