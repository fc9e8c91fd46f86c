import { expect, test } from 'vitest';
import type { Failure } from '#domain/failures.ts';
import { limitAttempts } from '#server/features/rate-limits/limit-attempts.ts';
import { type AttemptKind, LIMITS } from '#server/features/rate-limits/limits.ts';
import { sweepAttempts } from '#server/features/rate-limits/sweep-attempts.ts';
import { MINUTE, testClock } from '#test/support/clock.ts';
import { testDatabase } from '#test/support/database.ts';

const db = await testDatabase();
const clock = testClock();
const deps = { db, now: clock.now };

let people = 0;
/** Somebody who was never here, at a client that was never here. */
function stranger() {
  people += 1;
  return { email: `stranger-${people}@example.org`, client: `10.${people >> 8}.${people & 255}.1` };
}

/** Asks again and again. @returns how many times it was let pass before the first refusal, and that */
async function askUntilRefused(kind: AttemptKind, attempt: () => { email?: string; client: string }) {
  for (let passed = 0; passed <= 500; passed += 1) {
    const refusal = await limitAttempts(deps, kind, attempt());
    if (refusal) return { passed, refusal };
  }
  throw new Error('It was never refused.');
}

const seconds = (failure: Failure | undefined) => failure?.details.seconds;

test.each(['mail', 'password'] as const)('an address has room for so many %s tries, whoever asks', async (kind) => {
  const { email } = stranger();
  const { passed, refusal } = await askUntilRefused(kind, () => ({ email, client: stranger().client }));
  expect(passed).toBe(LIMITS[kind].perAddress);
  expect(refusal.code).toBe('too-many-requests');
});

test.each(['mail', 'password', 'code'] as const)(
  'a client has room for so many %s tries, whomever they are for',
  async (kind) => {
    const { client } = stranger();
    const { passed, refusal } = await askUntilRefused(kind, () => ({ email: stranger().email, client }));
    expect(passed).toBe(LIMITS[kind].perClient);
    expect(refusal.code).toBe('too-many-requests');
  },
);

test('the waiting that is told is the true one: a second before it is over there is no room, and then there is', async () => {
  const { email } = stranger();
  const again = () => limitAttempts(deps, 'mail', { email, client: stranger().client });
  await again();
  clock.pass(4 * MINUTE);
  const { refusal } = await askUntilRefused('mail', () => ({ email, client: stranger().client }));
  expect(seconds(refusal)).toBe(11 * 60);
  expect(refusal.message).toContain('in 11 minutes.');
  clock.pass(11 * MINUTE - 1000);
  // Asking meanwhile does not prolong it.
  const last = await again();
  expect(seconds(last)).toBe(1);
  expect(last?.message).toContain('in 1 second.');
  clock.pass(1000);
  expect(await again()).toBeUndefined();
});

test('a part of a second is told as a whole one', async () => {
  const { email } = stranger();
  await askUntilRefused('mail', () => ({ email, client: stranger().client }));
  clock.pass(500);
  expect(seconds(await limitAttempts(deps, 'mail', { email, client: stranger().client }))).toBe(900);
});

test('a new window has all of its room', async () => {
  const { email } = stranger();
  const attempt = () => ({ email, client: stranger().client });
  await askUntilRefused('password', attempt);
  clock.pass(15 * MINUTE);
  expect((await askUntilRefused('password', attempt)).passed).toBe(LIMITS.password.perAddress);
});

test('where both the client and the address have to wait, the longer waiting is told', async () => {
  const { email, client } = stranger();
  await askUntilRefused('mail', () => ({ email: stranger().email, client }));
  clock.pass(5 * MINUTE);
  await askUntilRefused('mail', () => ({ email, client: stranger().client }));
  expect(seconds(await limitAttempts(deps, 'mail', { email, client }))).toBe(15 * 60);
  expect(seconds(await limitAttempts(deps, 'mail', { email: stranger().email, client }))).toBe(10 * 60);
});

test('a client that is refused uses up nobody’s address', async () => {
  const { email, client } = stranger();
  await askUntilRefused('mail', () => ({ email: stranger().email, client }));
  for (let count = 0; count < 20; count += 1) await limitAttempts(deps, 'mail', { email, client });
  const { passed } = await askUntilRefused('mail', () => ({ email, client: stranger().client }));
  expect(passed).toBe(LIMITS.mail.perAddress);
});

test('what is asked for of one kind leaves the room of another', async () => {
  const { email, client } = stranger();
  await askUntilRefused('mail', () => ({ email, client }));
  expect(await limitAttempts(deps, 'password', { email, client })).toBeUndefined();
});

test('an address is the same however its letters are written', async () => {
  const { email, client } = stranger();
  await askUntilRefused('mail', () => ({ email, client: stranger().client }));
  expect(await limitAttempts(deps, 'mail', { email: ` ${email.toUpperCase()} `, client })).toBeDefined();
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0DB8:0001:0002::', true],
  ['2001:db8::1', '2001:db8::192.0.2.1', true],
  ['fe80::1%eth0', 'fe80::1%eth1', true],
  ['::ffff:192.0.2.7', '192.0.2.7', true],
  ['2001:db8:1:2::2', '2001:db8:1:3::2', false],
  ['::ffff:192.0.2.8', '::ffff:192.0.2.9', false],
  ['192.0.2.10', '192.0.2.11', false],
])('%s and %s are one client: %s', async (one, other, same) => {
  await askUntilRefused('password', () => ({ email: stranger().email, client: one }));
  const refusal = await limitAttempts(deps, 'password', { email: stranger().email, client: other });
  expect(refusal !== undefined).toBe(same);
  clock.pass(15 * MINUTE);
});

test('tries that come at the same time are all counted', async () => {
  const { email } = stranger();
  const tries = Array.from({ length: 40 }, () => limitAttempts(deps, 'password', { email, client: stranger().client }));
  const passed = (await Promise.all(tries)).filter((refusal) => refusal === undefined);
  expect(passed).toHaveLength(LIMITS.password.perAddress);
});

test('whoever reads the table learns neither an address nor a client', async () => {
  await limitAttempts(deps, 'mail', { email: 'nina@example.org', client: '198.51.100.7' });
  const rows = await db.kysely.selectFrom('attempts').selectAll().execute();
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/nina|example|198\.51/);
});

test('what has ended is swept, and what has not stays', async () => {
  clock.pass(60 * MINUTE);
  const { email, client } = stranger();
  await limitAttempts(deps, 'mail', { email, client });
  await sweepAttempts(deps);
  const rows = await db.kysely.selectFrom('attempts').selectAll().execute();
  expect(rows).toHaveLength(2);
  expect((await askUntilRefused('mail', () => ({ email, client }))).passed).toBe(LIMITS.mail.perAddress - 1);
});
