// @spec 7.sign-in
import { expect, test } from 'vitest';
import { type CallName, callPath } from '#contract/calls.ts';
import { createAuthenticatorCodes } from '#server/gateways/identity/authenticator-codes.ts';
import { call, readOutcome } from '#test/support/call.ts';
import { HOUR, MINUTE } from '#test/support/clock.ts';
import { startPeople } from '#test/support/people.ts';
import { addAuthenticatorTo, confirmByEmail, generateAppCode } from '#test/support/second-factors.ts';
import { signIn } from '#test/support/sign-in.ts';
import { createSoftwarePasskey } from '#test/support/software-passkey.ts';

const { db, deps, app, clock, readEmailsTo } = await startPeople();
const origin = deps.publicUrl();

async function createPerson(name: string) {
  const person = await signIn(deps, { email: `${name}@example.org` });
  const sendCall = (callName: CallName, body?: object, passkeyid = '') =>
    call(app, callName, { params: { passkeyid }, as: person, ...(body === undefined ? {} : { body }) } as never);
  const addApp = async () => {
    const { key, offer } = (await sendCall('offerAuthenticator')).json<{ key: string; offer: string }>();
    const response = await sendCall('addAuthenticator', { offer, code: generateAppCode(key, clock.now()) });
    return response.json<{ recoveryCodes: string[] }>().recoveryCodes;
  };
  const addPasskey = async (passkey = createSoftwarePasskey(), name = 'Phone') => {
    const { options, offer } = (await sendCall('offerPasskey')).json<{
      options: { challenge: string };
      offer: string;
    }>();
    return sendCall('addPasskey', { offer, name, passkey: passkey.create(options, { origin }) });
  };
  const readFactors = async () => (await sendCall('readSecondFactors')).json<Record<string, unknown>>();
  const readSubjects = async () => (await readEmailsTo(person.email)).map(({ subject }) => subject);
  return { ...person, sendCall, addApp, addPasskey, readFactors, readSubjects };
}

const readSessions = (userId: string) =>
  db.kysely.selectFrom('sessions').select(['id', 'second_factor_at']).where('user_id', '=', userId).execute();

test('adding the first factor requires an emailed code, so a stolen password can’t lock the owner out', async () => {
  const { userId, sendCall } = await createPerson('ada');
  await db.kysely
    .updateTable('sessions')
    .set({ authentication_method: 'password' })
    .where('user_id', '=', userId)
    .execute();
  const offers = ['offerAuthenticator', 'offerPasskey'] as const;
  for (const name of offers) expect(readOutcome(await sendCall(name))).toEqual([401, 'email-confirmation-required']);
  const { offer, key } = await deps.identity.authenticatorCodes.createKey({ userId, email: 'ada@example.org' });
  const request = { offer, code: generateAppCode(key, clock.now()) };
  expect(readOutcome(await sendCall('addAuthenticator', request))).toEqual([401, 'email-confirmation-required']);
  await confirmByEmail(deps, userId);
  for (const name of offers) expect(readOutcome(await sendCall(name))).toEqual([200]);
  expect(readOutcome(await sendCall('addAuthenticator', request))).toEqual([200]);
});

// @asvs 7.4.3
test('adding the first factor ends other sessions, marks this one as confirmed, and returns ten recovery codes', async () => {
  const bea = await createPerson('bea');
  await signIn(deps, { userId: bea.userId });
  await confirmByEmail(deps, bea.userId);
  const codes = await bea.addApp();
  expect(new Set(codes).size).toBe(10);
  expect(codes.every((code) => /^([a-km-np-z2-9]{4}-){5}[a-km-np-z2-9]{4}$/.test(code))).toBe(true);
  expect(await readSessions(bea.userId)).toEqual([{ id: bea.sessionId, second_factor_at: clock.now() }]);
  expect(await bea.readFactors()).toEqual({
    passkeys: [],
    authenticatorTimestamp: clock.now().toISOString(),
    remainingRecoveryCodes: 10,
    removalTimestamp: null,
  });
  expect(await bea.readSubjects()).toEqual([expect.stringContaining('authenticator app was added')]);
});

test('the database reveals neither app keys nor recovery codes', async () => {
  const cleo = await createPerson('cleo');
  const { key, recoveryCodes } = await addAuthenticatorTo(deps, cleo);
  const rows = await Promise.all([
    db.kysely.selectFrom('authenticators').selectAll().where('user_id', '=', cleo.userId).execute(),
    db.kysely.selectFrom('recovery_codes').selectAll().where('user_id', '=', cleo.userId).execute(),
  ]);
  const storedText = JSON.stringify(rows);
  for (const secret of [key, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])]) {
    expect(storedText).not.toContain(secret);
  }
});

test('a stored key is useless with another secret or for another person', async () => {
  const dora = await createPerson('dora');
  const { key } = await addAuthenticatorTo(deps, dora);
  const code = generateAppCode(key, clock.now());
  const row = db.kysely.selectFrom('authenticators').select('key').where('user_id', '=', dora.userId);
  const storedKey = (await row.executeTakeFirstOrThrow()).key;
  expect(await deps.identity.authenticatorCodes.findTimeStep(dora.userId, storedKey, code)).toEqual(expect.any(Number));
  expect(await deps.identity.authenticatorCodes.findTimeStep('somebody', storedKey, code)).toBeUndefined();
  const otherKeyCodes = createAuthenticatorCodes({ key: async () => new Uint8Array(32), now: clock.now });
  expect(await otherKeyCodes.findTimeStep(dora.userId, storedKey, code)).toBeUndefined();
});

test('several passkeys can be named and removed separately; a second app and a known passkey are rejected', async () => {
  const ella = await createPerson('ella');
  await confirmByEmail(deps, ella.userId);
  const [phone, securityKey] = [createSoftwarePasskey(), createSoftwarePasskey()];
  expect((await ella.addPasskey(phone, '  Phone ')).json()).toEqual({ recoveryCodes: expect.any(Array) });
  clock.advance(1);
  expect((await ella.addPasskey(securityKey, '')).json()).toEqual({ recoveryCodes: [] });
  expect(readOutcome(await ella.addPasskey(phone))).toEqual([409, 'passkey-known']);
  await ella.addApp();
  const appOffer = (await ella.sendCall('offerAuthenticator')).json<{ key: string; offer: string }>();
  const secondOffer = { offer: appOffer.offer, code: generateAppCode(appOffer.key, clock.now()) };
  expect(readOutcome(await ella.sendCall('addAuthenticator', secondOffer))).toEqual([409, 'authenticator-known']);
  expect(await ella.readFactors()).toMatchObject({ passkeys: [{ name: 'Phone' }, { name: 'Passkey' }] });
  expect(readOutcome(await ella.sendCall('removePasskey', undefined, phone.id))).toEqual([200]);
  expect(readOutcome(await ella.sendCall('removePasskey', undefined, phone.id))).toEqual([404, 'passkey-not-found']);
  expect(readOutcome(await ella.sendCall('removePasskey', undefined, '\0'))).toEqual([404, 'no-event']);
  expect(await ella.readFactors()).toMatchObject({ passkeys: [{ id: securityKey.id }], remainingRecoveryCodes: 10 });
  expect(await ella.readSubjects()).toEqual([
    expect.stringContaining('passkey was added'),
    expect.stringContaining('passkey was added'),
    expect.stringContaining('authenticator app was added'),
    expect.stringContaining('passkey was removed'),
  ]);
});

test('removing the last factor invalidates recovery codes and clears the second factor from sessions', async () => {
  const fay = await createPerson('fay');
  await confirmByEmail(deps, fay.userId);
  await fay.addApp();
  expect(readOutcome(await fay.sendCall('removeAuthenticator'))).toEqual([200]);
  expect(await fay.readFactors()).toMatchObject({ authenticatorTimestamp: null, remainingRecoveryCodes: 0 });
  expect(await readSessions(fay.userId)).toEqual([{ id: fay.sessionId, second_factor_at: null }]);
  expect(readOutcome(await fay.sendCall('renewRecoveryCodes'))).toEqual([403, 'second-factor-needed']);
});

// @asvs 7.5.1
test('a session that lacks the second factor or a recent confirmation can’t change factors', async () => {
  const gina = await createPerson('gina');
  const changes = [...(['offerAuthenticator', 'removeAuthenticator', 'offerPasskey', 'renewRecoveryCodes'] as const)];
  await addAuthenticatorTo(deps, gina);
  await db.kysely
    .updateTable('sessions')
    .set({ authenticated_at: new Date(clock.now().getTime() - 61 * MINUTE) })
    .where('user_id', '=', gina.userId)
    .execute();
  for (const name of changes) expect(readOutcome(await gina.sendCall(name))).toEqual([401, 'confirmation-required']);
  await confirmByEmail(deps, gina.userId);
  await db.kysely.updateTable('sessions').set({ second_factor_at: null }).where('user_id', '=', gina.userId).execute();
  for (const name of changes) expect(readOutcome(await gina.sendCall(name))).toEqual([403, 'second-factor-needed']);
  expect(await gina.readFactors()).toMatchObject({ remainingRecoveryCodes: 10 });
});

test('an offer is valid for its user for fifteen minutes', async () => {
  const [hana, ines] = [await createPerson('hana'), await createPerson('ines')];
  for (const { userId } of [hana, ines]) await confirmByEmail(deps, userId);
  const { key, offer } = (await hana.sendCall('offerAuthenticator')).json<{ key: string; offer: string }>();
  const code = generateAppCode(key, clock.now());
  expect(readOutcome(await ines.sendCall('addAuthenticator', { offer, code }))).toEqual([422, 'offer-over']);
  const passkeyOffer = (await hana.sendCall('offerPasskey')).json<{ options: { challenge: string }; offer: string }>();
  const passkey = createSoftwarePasskey().create(passkeyOffer.options, { origin });
  const request = { offer: passkeyOffer.offer, name: 'Phone', passkey };
  expect(readOutcome(await ines.sendCall('addPasskey', request))).toEqual([422, 'offer-over']);
  const foreignPasskey = createSoftwarePasskey().create(passkeyOffer.options, { origin: 'https://elsewhere.example' });
  expect(readOutcome(await hana.sendCall('addPasskey', { ...request, passkey: foreignPasskey }))).toEqual([
    401,
    'passkey-rejected',
  ]);
  const jana = await signIn(deps, { userId: hana.userId });
  clock.advance(15 * MINUTE);
  await confirmByEmail(deps, jana.userId);
  const lateResponse = await call(app, 'addPasskey', { params: {}, as: await signIn(deps, jana), body: request });
  expect(['email-confirmation-required', 'offer-over']).toContain(readOutcome(lateResponse)[1]);
});

test('wrong codes during setup are limited, and new recovery codes replace the old ones', async () => {
  const kira = await createPerson('kira');
  await confirmByEmail(deps, kira.userId);
  const { offer } = (await kira.sendCall('offerAuthenticator')).json<{ offer: string }>();
  const attempts = Array.from({ length: 11 }, () => kira.sendCall('addAuthenticator', { offer, code: '000000' }));
  const outcomes = (await Promise.all(attempts)).map((response) => readOutcome(response)[1]);
  expect(outcomes.filter((code) => code === 'wrong-code')).toHaveLength(10);
  expect(outcomes.filter((code) => code === 'too-many-requests')).toHaveLength(1);
  clock.advance(HOUR);
  const lena = await createPerson('lena');
  const { recoveryCodes } = await addAuthenticatorTo(deps, lena);
  const newCodes = (await lena.sendCall('renewRecoveryCodes')).json<{ recoveryCodes: string[] }>().recoveryCodes;
  expect(newCodes).toHaveLength(10);
  expect(newCodes.filter((code) => recoveryCodes.includes(code))).toEqual([]);
  expect(await lena.readSubjects()).toEqual([expect.stringContaining('New recovery codes')]);
});

test('adding, using, and removing factors is recorded without names or codes', async () => {
  const mara = await createPerson('mara');
  await confirmByEmail(deps, mara.userId);
  await mara.addPasskey(createSoftwarePasskey(), 'A telling name');
  await mara.addApp();
  await mara.sendCall('removeAuthenticator');
  const activities = await db.kysely
    .selectFrom('activities')
    .select(['kind', 'verb', 'actor_id', 'before', 'after'])
    .where('affected_user_id', '=', mara.userId)
    .where('kind', 'not in', ['login', 'account'])
    .orderBy('id')
    .execute();
  expect(activities.map(({ kind, verb }) => `${kind}.${verb}`)).toEqual([
    'passkey.added',
    'recovery-codes.added',
    'authenticator.added',
    'authenticator.removed',
  ]);
  expect(JSON.stringify(activities)).not.toContain('telling');
  expect(activities.every(({ actor_id }) => actor_id === mara.userId)).toBe(true);
});

test('the passkey path contains the passkey’s id', () => {
  expect(callPath('removePasskey', { passkeyid: 'a_b-c' })).toBe('/api/second-factors/passkeys/a_b-c');
});
