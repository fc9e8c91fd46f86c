// @spec decisions.4
import { expect, test } from 'vitest';
import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { fillPath } from '#contract/path-pattern.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { postEntry } from '#server/features/ledger/post-entry.ts';
import { buildTestApp, createTestDeps, PARENT } from '#test/support/build-app.ts';
import { addCell } from '#test/support/builders/cell.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { addTribute } from '#test/support/builders/tribute.ts';
import { addUser } from '#test/support/builders/user.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { CALL_ROWS } from '../permissions/call-rows.ts';

const db = await createTestDatabase();
const app = await buildTestApp(await createTestDeps(db));

/** Private values, each stored in the column where the program stores such data. */
const SECRETS = {
  userId: 'user-of-the-editor',
  userEmail: 'editor@private.example',
  userName: 'Edith Editor',
  donorUserId: 'user-of-the-donor',
  donorUserEmail: 'donor-account@private.example',
  offsetterEmail: 'offsetter@private.example',
  fullName: 'Diane Donorsdottir',
  payerEmail: 'payer@private.example',
  payerName: 'Paula Payer',
  session: 'cs_test_private',
  payment: 'pi_private',
  customer: 'cus_private',
  subscription: 'sub_private',
  receiptEmail: 'receipt@private.example',
  receiptName: 'Rita Receipt',
  receiptKey: 'key-of-the-receipt',
  pledgeEmail: 'pledger@private.example',
  pledgeName: 'Petra Pledger',
  ledgerFact: 'fact-of-the-ledger',
  ledgerReason: 'an embarrassing correction',
  cardReader: 'Grace Reader',
  cardMessage: 'A message to one person',
  cardSignature: 'Signed by a donor',
};

async function addSecrets() {
  const userId = await addUser(db, { id: SECRETS.userId, email: SECRETS.userEmail, display_name: SECRETS.userName });
  const donorId = await addUser(db, { id: SECRETS.donorUserId, email: SECRETS.donorUserEmail });
  const orgId = await addOrg(db, { id: 'ours', slug: 'ours' });
  await db.kysely
    .insertInto('org_editors')
    .values({ org_id: orgId, user_id: userId, display_name: SECRETS.userName })
    .execute();
  await addCell(db, orgId, { page: 'home', name: 'intro', user_id: userId });
  const offsetterId = await addOffsetter(db, orgId, {
    user_id: donorId,
    email: SECRETS.offsetterEmail,
    name: `Dora ${SECRETS.fullName}`,
    shown_as: 'first',
    created_at: new Date('2026-03-14T09:30:00Z'),
  });
  await addOffsetter(db, orgId, { created_at: new Date('2026-03-15T09:30:00Z'), email: SECRETS.offsetterEmail });
  await addOffsetter(db, orgId, { name: SECRETS.fullName, status: 'draft' });
  const checkoutId = await addCheckout(db, orgId, {
    payment_status: 'paid',
    paid_at: new Date('2026-03-14T09:30:00Z'),
    display_name: SECRETS.payerName,
    email: SECRETS.payerEmail,
    user_id: donorId,
    offsetter_id: offsetterId,
    provider_session_id: SECRETS.session,
    provider_payment_id: SECRETS.payment,
    provider_customer_id: SECRETS.customer,
    provider_subscription_id: SECRETS.subscription,
    payment_url: `https://pay.example/${SECRETS.session}`,
  });
  await addSecretPayments(orgId, checkoutId, userId);
  await addTribute(db, {
    checkout_id: checkoutId,
    org_id: orgId,
    kind: 'honor',
    name: 'Ada',
    card_email: 'reader@private.example',
    card_name: SECRETS.cardReader,
    card_message: SECRETS.cardMessage,
    card_signature: SECRETS.cardSignature,
    card_status: 'sent',
    card_status_at: new Date('2026-03-14T09:30:00Z'),
  });
  const giftKey = 'key-of-the-gift';
  const gift = { id: SECRETS.subscription, org_id: orgId, checkout_id: checkoutId, page_key: giftKey };
  await db.kysely
    .insertInto('subscriptions')
    .values({ ...gift, status: 'active', amount_cents: 2500, interval_unit: 'month', interval_count: 1 })
    .execute();
  const awardeeId = await addStory(db, 'awardees', orgId);
  const installerId = await addStory(db, 'installers', orgId);
  return {
    orgid: orgId,
    offsetterid: offsetterId,
    awardeeid: awardeeId,
    installerid: installerId,
    checkoutid: checkoutId,
    giftkey: giftKey,
    page: 'home',
    name: 'intro',
  };
}

async function addSecretPayments(orgId: string, checkoutId: string, actorId: string): Promise<void> {
  const entry = { orgId, checkoutId, actorId, kind: 'payment', amount: 2500, carbon: 0, currency: 'usd' } as const;
  const occurredAt = new Date('2026-03-14T09:30:00Z');
  const id = await inTransaction(db, (tx) =>
    postEntry(tx, { ...entry, fact: SECRETS.ledgerFact, reason: SECRETS.ledgerReason, occurredAt }),
  );
  await db.kysely
    .insertInto('receipts')
    .values({
      org_id: orgId,
      number: 1,
      series: 'live',
      printed_number: 1,
      document: JSON.stringify({ donor: SECRETS.receiptName }),
      ledger_entry_id: id ?? '',
      checkout_id: checkoutId,
      key: SECRETS.receiptKey,
      email: SECRETS.receiptEmail,
      name: SECRETS.receiptName,
      amount_cents: 2500,
    })
    .execute();
  await db.kysely
    .insertInto('pledges')
    .values({ id: 'pledge-1', org_id: orgId, name: SECRETS.pledgeName, email: SECRETS.pledgeEmail, amount_cents: 5000 })
    .execute();
}

const params = {
  ...(await addSecrets()),
  userid: SECRETS.donorUserId,
  entryid: 'entry',
  donorid: 'donor',
  pledgeid: 'pledge',
  payoutid: 'payout',
  year: '2026',
};
const callNames = Object.keys(CALLS) as CallName[];
/** Calls that need the key in the receipt email. */
const CALLS_BY_KEY: readonly CallName[] = ['openReceipt', 'openGiftHomes'];
/** Calls that need the cookie of the browser that opened the checkout. */
const CALLS_BY_COOKIE: readonly CallName[] = ['openCheckoutReceipt'];
const readCalls = callNames.filter(
  (name) => CALLS[name].method === 'GET' && ![...CALLS_BY_KEY, ...CALLS_BY_COOKIE].includes(name),
);
const isPublic = (name: CallName) => CALL_ROWS[name].outcomes('own organization').visitor === 'done';

/** @param headers checked like the body */
function expectNoSecret(body: string, headers: object): void {
  const response = `${JSON.stringify(headers)}\n${body}`;
  for (const [name, secret] of Object.entries(SECRETS)) expect(response.includes(secret), `${name} leaks`).toBe(false);
}

function fetchCall(name: CallName) {
  const query = name === 'searchCities' ? '?search=Ithaca' : '';
  return app.inject(API_BASE + fillPath<string>(CALLS[name].path, params) + query);
}

// @asvs 14.2.4
test.each(readCalls.filter(isPublic))('%s doesn’t reveal private data', async (name) => {
  const response = await fetchCall(name);
  expect(response.statusCode).toBe(200);
  expectNoSecret(response.body, response.headers);
  expect(response.body.replaceAll(PARENT.contactEmail, '')).not.toMatch(/[\w.]+@[\w.]+/);
});

test.each(CALLS_BY_KEY)('%s opens only with its own key', async (name) => {
  const response = await app.inject(
    `${API_BASE}${fillPath<string>(CALLS[name].path, params)}?key=another-key-of-22-chars`,
  );
  expect(response.statusCode).toBe(404);
  expectNoSecret(response.body, response.headers);
});

test.each(CALLS_BY_COOKIE)('%s opens only for its own browser', async (name) => {
  const response = await fetchCall(name);
  expect(response.statusCode).toBe(404);
  expectNoSecret(response.body, response.headers);
});

test.each(readCalls.filter((name) => !isPublic(name)))('%s doesn’t reveal data to a visitor', async (name) => {
  const response = await fetchCall(name);
  expect(response.statusCode).toBe(401);
  expectNoSecret(response.body, response.headers);
});

test('a checkout opened with its receipt key and the completion response don’t reveal private data', async () => {
  const { orgid: orgId, checkoutid: checkoutId } = params;
  const path = `/api/orgs/${orgId}/checkouts/${checkoutId}`;
  const receiptView = await app.inject(`${path}?receipt=${SECRETS.receiptKey}`);
  const completedResponse = await app.inject({
    method: 'PATCH',
    url: `${path}/complete`,
    headers: { 'x-requested-with': 'test' },
  });
  for (const response of [receiptView, completedResponse]) {
    expect(response.statusCode).toBe(200);
    expectNoSecret(response.body, response.headers);
  }
});

// @asvs 13.4.5
test('sorted lists, the API document, and the health check don’t reveal private data', async () => {
  const lists = ['', '/offsetters', '/awardees', '/installers'].map(
    (kind) => `/api/orgs${kind && `/ours${kind}`}?order=asc`,
  );
  for (const url of [...lists, '/api/docs', '/healthz', '/api/orgs?slug=ours']) {
    const response = await app.inject(url);
    expect(response.statusCode, url).toBe(200);
    expectNoSecret(response.body, response.headers);
  }
});

test('every secret is stored in the database', async () => {
  const tables = [
    'users',
    'org_editors',
    'offsetters',
    'checkouts',
    'receipts',
    'pledges',
    'ledger_entries',
    'tributes',
  ] as const;
  const rows = await Promise.all(tables.map((table) => db.kysely.selectFrom(table).selectAll().execute()));
  const storedText = JSON.stringify(rows);
  for (const secret of Object.values(SECRETS)) expect(storedText).toContain(secret);
});
