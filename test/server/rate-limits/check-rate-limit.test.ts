import { expect, test, vi } from 'vitest';
import type { Failure } from '#domain/failures.ts';
import { failureSentence } from '#domain/server-failures.ts';
import { checkRateLimit, refundRateLimit, sweepRateLimits } from '#server/features/rate-limits/check-rate-limit.ts';
import type { LimitedAction } from '#server/features/rate-limits/limits.ts';
import { createTestClock, MINUTE } from '#test/support/clock.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { findMaxRequests } from '#test/support/limits.ts';

const db = await createTestDatabase();
const clock = createTestClock();
const deps = { db, now: clock.now };

let strangerCount = 0;
/** Creates a new email address and a new client. */
function newStranger() {
  strangerCount += 1;
  return {
    email: `stranger-${strangerCount}@example.org`,
    client: `10.${strangerCount >> 8}.${strangerCount & 255}.1`,
  };
}

/** Sends requests until one is rejected. @returns the number that passed, and the error */
async function requestUntilRejected(kind: LimitedAction, attempt: () => { email?: string; client: string }) {
  for (let passedCount = 0; passedCount <= 500; passedCount += 1) {
    const failure = await checkRateLimit(deps, kind, attempt());
    if (failure) return { passedCount, failure };
  }
  throw new Error('No request was rejected.');
}

const waitSeconds = (failure: Failure | undefined) => failure?.details.seconds;

test.each(['invitation', 'password', 'mailbox'] as const)(
  'limits "%s" requests for one address across clients',
  async (kind) => {
    const { email } = newStranger();
    const { passedCount, failure } = await requestUntilRejected(kind, () => ({
      email,
      client: newStranger().client,
    }));
    expect(passedCount).toBe(findMaxRequests(kind, 'email'));
    expect(failure.code).toBe('too-many-requests');
  },
);

test.each(['mail', 'password', 'code'] as const)(
  'limits "%s" requests from one client across addresses',
  async (kind) => {
    const { client } = newStranger();
    const { passedCount, failure } = await requestUntilRejected(kind, () => ({
      email: newStranger().email,
      client,
    }));
    expect(passedCount).toBe(findMaxRequests(kind, 'client'));
    expect(failure.code).toBe('too-many-requests');
  },
);

test('the response states the exact wait in seconds', async () => {
  const { email } = newStranger();
  const retry = () => checkRateLimit(deps, 'invitation', { email, client: newStranger().client });
  await retry();
  clock.advance(4 * MINUTE);
  const { failure } = await requestUntilRejected('invitation', () => ({ email, client: newStranger().client }));
  expect(waitSeconds(failure)).toBe(11 * 60);
  expect(failureSentence(failure)).toContain('in 11 minutes.');
  clock.advance(11 * MINUTE - 1000);
  // Requests during the wait don't make it longer.
  const lastFailure = await retry();
  expect(waitSeconds(lastFailure)).toBe(1);
  expect(lastFailure && failureSentence(lastFailure)).toContain('in 1 second.');
  clock.advance(1000);
  expect(await retry()).toBeUndefined();
});

test('a fraction of a second is rounded up', async () => {
  const { email } = newStranger();
  await requestUntilRejected('invitation', () => ({ email, client: newStranger().client }));
  clock.advance(500);
  expect(waitSeconds(await checkRateLimit(deps, 'invitation', { email, client: newStranger().client }))).toBe(900);
});

test('a new window starts from zero', async () => {
  const { email } = newStranger();
  const attempt = () => ({ email, client: newStranger().client });
  await requestUntilRejected('password', attempt);
  clock.advance(60 * MINUTE);
  expect((await requestUntilRejected('password', attempt)).passedCount).toBe(findMaxRequests('password', 'email'));
});

test('if both client and address must wait, the response states the longer wait', async () => {
  const { email, client } = newStranger();
  await requestUntilRejected('invitation', () => ({ email: newStranger().email, client }));
  clock.advance(5 * MINUTE);
  await requestUntilRejected('invitation', () => ({ email, client: newStranger().client }));
  clock.advance(1000);
  expect(waitSeconds(await checkRateLimit(deps, 'invitation', { email, client }))).toBe(15 * 60 - 1);
  expect(waitSeconds(await checkRateLimit(deps, 'invitation', { email: newStranger().email, client }))).toBe(
    10 * 60 - 1,
  );
});

test('a rejection is reused for a second without a database query, unless a request is refunded', async () => {
  const requester = newStranger();
  await requestUntilRejected('password', () => requester);
  const insert = vi.spyOn(db.kysely, 'insertInto');
  expect(await checkRateLimit(deps, 'password', requester)).toMatchObject({ code: 'too-many-requests' });
  expect(insert).not.toHaveBeenCalled();
  clock.advance(1000);
  await checkRateLimit(deps, 'password', requester);
  expect(insert).toHaveBeenCalled();
  insert.mockRestore();
  for (let count = 0; count < 10; count += 1) await refundRateLimit(deps, 'password', requester);
  expect(await checkRateLimit(deps, 'password', requester)).toBeUndefined();
});

test('a refunded request doesn’t count', async () => {
  const requester = newStranger();
  for (let count = 0; count < 50; count += 1) {
    expect(await checkRateLimit(deps, 'password', requester)).toBeUndefined();
    await refundRateLimit(deps, 'password', requester);
  }
  const { passedCount } = await requestUntilRejected('password', () => requester);
  expect(passedCount).toBe(findMaxRequests('password', 'email+client'));
});

test('requests from a rejected client don’t count toward the address’s limit', async () => {
  const { email, client } = newStranger();
  await requestUntilRejected('invitation', () => ({ email: newStranger().email, client }));
  for (let count = 0; count < 20; count += 1) await checkRateLimit(deps, 'invitation', { email, client });
  const { passedCount } = await requestUntilRejected('invitation', () => ({
    email,
    client: newStranger().client,
  }));
  expect(passedCount).toBe(findMaxRequests('invitation', 'email'));
});

test('each action has its own limit', async () => {
  const { email, client } = newStranger();
  await requestUntilRejected('mail', () => ({ email, client }));
  expect(await checkRateLimit(deps, 'password', { email, client })).toBeUndefined();
});

test('limits ignore the case of an address', async () => {
  const { email, client } = newStranger();
  await requestUntilRejected('mail', () => ({ email, client }));
  expect(await checkRateLimit(deps, 'mail', { email: ` ${email.toUpperCase()} `, client })).toBeDefined();
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0DB8:0001:0002::', true],
  ['2001:db8::1', '2001:db8::192.0.2.1', true],
  ['fe80::1%eth0', 'fe80::1%eth1', true],
  ['::ffff:192.0.2.7', '192.0.2.7', true],
  ['::FFFF:c000:20b', '192.0.2.11', true],
  ['0:0:0:0:0:ffff:192.0.2.12', '[::ffff:c000:020c]:443', true],
  ['2001:db8:1:2::2', '2001:db8:1:3::2', false],
  ['::ffff:192.0.2.8', '::ffff:192.0.2.9', false],
  ['192.0.2.10', '192.0.2.11', false],
])('%s and %s count as the same client: %s', async (firstAddress, secondAddress, isSameClient) => {
  await requestUntilRejected('password', () => ({ email: newStranger().email, client: firstAddress }));
  const failure = await checkRateLimit(deps, 'password', { email: newStranger().email, client: secondAddress });
  expect(failure !== undefined).toBe(isSameClient);
  clock.advance(15 * MINUTE);
});

test.each([
  [56, 4, (index: number) => `2001:db8:9:${(0xab00 + index).toString(16)}::1`, '2001:db8:9:aaff::1'],
  [48, 16, (index: number) => `2001:db8:8:${(index * 256).toString(16)}::1`, '2001:db8:7:100::1'],
])(
  'all networks in a /%i share a limit that is %i times a single client’s',
  async (_bits, multiplier, clientAt, otherNetwork) => {
    const kind = 'declined-card-in-attack';
    let networkCount = 0;
    const nextClient = () => {
      networkCount += 1;
      return { client: clientAt(networkCount) };
    };
    const { passedCount } = await requestUntilRejected(kind, nextClient);
    expect(passedCount).toBe(findMaxRequests(kind, 'client') * multiplier);
    expect(await checkRateLimit(deps, kind, { client: otherNetwork })).toBeUndefined();
  },
);

test('simultaneous requests are all counted', async () => {
  const { email } = newStranger();
  const attempts = Array.from({ length: 60 }, () =>
    checkRateLimit(deps, 'password', { email, client: newStranger().client }),
  );
  const passedResults = (await Promise.all(attempts)).filter((failure) => failure === undefined);
  expect(passedResults).toHaveLength(findMaxRequests('password', 'email'));
});

test('the table reveals neither addresses nor clients', async () => {
  await checkRateLimit(deps, 'mail', { email: 'nina@example.org', client: '198.51.100.7' });
  const rows = await db.kysely.selectFrom('rate_limits').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/nina|example|198\.51/);
});

test('the sweep deletes only ended windows', async () => {
  clock.advance(60 * MINUTE);
  const { email, client } = newStranger();
  await checkRateLimit(deps, 'mail', { email, client });
  await sweepRateLimits(deps);
  const rows = await db.kysely.selectFrom('rate_limits').selectAll().execute();
  expect(rows).toHaveLength(2);
  expect((await requestUntilRejected('mail', () => ({ email, client }))).passedCount).toBe(
    findMaxRequests('mail', 'email+client') - 1,
  );
});
