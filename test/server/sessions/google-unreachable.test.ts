// @spec decisions.4
import { expect, test } from 'vitest';
import { readOutcome } from '#test/support/call.ts';
import { createLogSpy } from '#test/support/log-spy.ts';
import { startOpenIdProvider } from '#test/support/openid-provider.ts';
import { startPeople } from '#test/support/people.ts';

const provider = await startOpenIdProvider();
const { client } = provider;
const port = Number(new URL(provider.url).port);
await provider.close();
const { log, loggedProblems } = createLogSpy();
const { app, openBrowser } = await startPeople({ google: { client, log } });
const peopleWithoutGoogle = await startPeople();

test('if Google is unreachable, the next attempt retries', async () => {
  const client = openBrowser();
  expect(readOutcome(await client.call('signInWithGoogle', {}))).toEqual([503, 'google-unavailable']);
  expect(readOutcome(await client.call('signInWithGoogle', {}))).toEqual([503, 'google-unavailable']);
  expect(loggedProblems.filter((line) => line.startsWith('Google cannot be reached: '))).toHaveLength(2);
  const provider = await startOpenIdProvider(port);
  try {
    expect(readOutcome(await client.call('signInWithGoogle', {}))).toEqual([200]);
  } finally {
    await provider.close();
  }
});

// @asvs 10.5.3
test('a provider with a different issuer is rejected', async () => {
  const impostor = await startOpenIdProvider();
  impostor.fault = 'other-issuer';
  try {
    const peopleWithImpostor = await startPeople({ google: { client: impostor.client, log } });
    expect(readOutcome(await peopleWithImpostor.openBrowser().call('signInWithGoogle', {}))).toEqual([
      503,
      'google-unavailable',
    ]);
    impostor.fault = undefined;
    expect(readOutcome(await peopleWithImpostor.openBrowser().call('signInWithGoogle', {}))).toEqual([200]);
  } finally {
    await impostor.close();
  }
});

test('the site response includes whether Google login is available', async () => {
  const hasGoogleLogin = async (server: typeof app) =>
    (await server.inject('/api/site')).json<{ googleSignIn: boolean }>().googleSignIn;
  expect([await hasGoogleLogin(app), await hasGoogleLogin(peopleWithoutGoogle.app)]).toEqual([true, false]);
});

test('without a Google client, there is no login route and no callback', async () => {
  const client = peopleWithoutGoogle.openBrowser();
  expect(readOutcome(await client.call('signInWithGoogle', {}))).toEqual([503, 'google-unavailable']);
  expect(readOutcome(await client.open('/api/auth/callback/google?state=a&code=b'))).toEqual([404, 'call-not-found']);
});
