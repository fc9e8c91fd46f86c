import fc from 'fast-check';
import { expect, test } from 'vitest';
import { donationItem, offsetItem } from '#domain/cart.ts';
import { OFFSET_TYPES } from '#domain/emissions.ts';
import type { Payments } from '#server/gateways/payments/payments.ts';
import { arbitraryText } from '#test/support/arbitrary-text.ts';
import { buildTestApp, createTestDeps, unreachableProvider } from '#test/support/build-app.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { pickRunCount } from '#test/support/run-count.ts';

const db = await createTestDatabase();
let sessionCount = 0;
/** A provider that accepts everything. */
const payments: Payments = {
  ...unreachableProvider,
  createSession: async () => {
    sessionCount += 1;
    return { sessionId: `cs_${sessionCount}`, url: `https://pay.example/${sessionCount}` };
  },
};
const app = await buildTestApp(await createTestDeps(db, { payments }));
const orgId = await addOrg(db);

function sendRequest(resource: 'checkouts' | 'pledges', payload: string) {
  const headers = { 'x-requested-with': 'test', 'content-type': 'application/json' };
  return app.inject({ method: 'POST', url: `/api/orgs/${orgId}/${resource}`, headers, payload });
}

async function expectNoFailure(resource: 'checkouts' | 'pledges', payload: string): Promise<number> {
  const { statusCode, headers, body } = await sendRequest(resource, payload);
  expect(statusCode === 200 || (statusCode >= 400 && statusCode < 500), `${statusCode} ${body}`).toBe(true);
  if (statusCode !== 200) {
    expect(headers['content-type']).toContain('application/problem+json');
    expect(JSON.parse(body).detail).toMatch(/^.{10,}/);
  }
  return statusCode;
}

const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1, 5, 25, 0.01, 1e-7, 5e-324, 0.1 + 0.2, 999_999.99, 1e9, 1e9 + 1, 2 ** 53, 1e21, 1.7e308),
);
const text = fc.oneof(
  arbitraryText({ maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    'x'.repeat(5000),
    "'; drop table orgs; --",
  ),
  fc.constantFrom('donation', 'offset', ...OFFSET_TYPES, 'no', 'month', 'year', 'dora@example.org', 'a\r\nBcc: b@c.de'),
);
const hostileValue = fc.oneof(number, text, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 3 }));
const orHostile = (validValue: fc.Arbitrary<unknown>) => fc.oneof({ weight: 4, arbitrary: validValue }, hostileValue);

const item = fc.record(
  {
    type: orHostile(fc.constantFrom('donation', 'offset')),
    cost: orHostile(number),
    carbon: orHostile(number),
    offsetType: orHostile(fc.constantFrom(...OFFSET_TYPES)),
    recurring: orHostile(fc.constantFrom('no', 'month', 'year')),
    recurringInterval: orHostile(fc.integer({ min: -1, max: 40 })),
    title: orHostile(text),
    description: orHostile(text),
    factorsVersion: orHostile(text),
  },
  { requiredKeys: [] },
);
const cart = fc.record(
  { cart: orHostile(fc.array(orHostile(fc.oneof(item, fc.constant(donationItem(25)))), { maxLength: 4 })) },
  { requiredKeys: [] },
);
const pledge = fc.record(
  {
    name: orHostile(fc.oneof(text, fc.constant('Dora Donor'))),
    email: orHostile(fc.oneof(text, fc.constant('dora@example.org'))),
    amount: orHostile(fc.oneof(number, fc.constant(50))),
  },
  { requiredKeys: [] },
);

test('no JSON makes the server fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      await expectNoFailure('checkouts', JSON.stringify(value));
      await expectNoFailure('pledges', JSON.stringify(value));
    }),
    { numRuns: pickRunCount(40, 150) },
  );
});

test('no bytes make the server fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), text, arbitraryText()), async (payload) => {
      await expectNoFailure('checkouts', payload);
      await expectNoFailure('pledges', payload);
    }),
    { numRuns: pickRunCount(40, 150) },
  );
});

test('no cart makes the server fail or stores an invalid checkout', async () => {
  await fc.assert(
    fc.asyncProperty(cart, async (body) => void (await expectNoFailure('checkouts', JSON.stringify(body)))),
    // At least one cart is valid.
    { numRuns: pickRunCount(100, 500), examples: [[{ cart: [donationItem(25)] }]] },
  );
  const checkouts = await db.kysely.selectFrom('checkouts').select(['total_cents', 'carbon']).execute();
  expect(checkouts).not.toEqual([]);
  expect(checkouts.every(({ total_cents, carbon }) => total_cents >= 500 && carbon >= 0)).toBe(true);
});

test('no pledge causes a server error, and stored pledges have a valid email and whole dollars', async () => {
  await fc.assert(
    fc.asyncProperty(pledge, async (body) => void (await expectNoFailure('pledges', JSON.stringify(body)))),
    { numRuns: pickRunCount(80, 400), examples: [[{ name: 'Dora Donor', email: 'dora@example.org', amount: 50 }]] },
  );
  const pledges = await db.kysely.selectFrom('pledges').selectAll().execute();
  expect(pledges).not.toEqual([]);
  for (const { email, amount_cents } of pledges) {
    expect(email).toMatch(/^[^\s@]+@[^\s@]+$/);
    expect(amount_cents % 100).toBe(0);
  }
});

test('every cart that the client can build is accepted', async () => {
  const carbon = fc.oneof(
    fc.integer({ min: 4_000_000, max: 100_000_000 }),
    fc.integer({ min: 4_000_000, max: 70_000_000_000 }),
  );
  const recurrence = fc.constantFrom<['no' | 'month' | 'year', number?]>(
    ['no'],
    ['month', 1],
    ['month', 36],
    ['year', 1],
  );
  await fc.assert(
    fc.asyncProperty(carbon, fc.integer({ min: 1, max: 100_000 }), recurrence, async (units, dollars, recurring) => {
      const items = [offsetItem('air', units / 10_000), donationItem(dollars, ...recurring)];
      expect(await expectNoFailure('checkouts', JSON.stringify({ cart: items }))).toBe(200);
    }),
    { numRuns: pickRunCount(25, 100) },
  );
});
