import { z } from 'zod';
import { type Check, kindOf, ok, warning, wrong } from '#server/gateways/check.ts';
import { GOOGLE_CALLBACK_PATH, type GoogleClient } from './google-sign-in.ts';

const SUBJECT = 'Google login';
const TIMEOUT_MS = 10_000;
const document = z.object({ issuer: z.string(), token_endpoint: z.url() });
const errorResponse = z.object({ error: z.string() });

/** Loads the discovery document, and checks the client's secret by sending it with an invalid code. */
export async function checkGoogle(client: GoogleClient, publicUrl: string): Promise<Check> {
  const discovered = await discover(client).catch((error: unknown) => kindOf(error));
  if (typeof discovered === 'string') {
    return wrong(SUBJECT, `${client.discoveryUrl} cannot be loaded (${discovered}). Google login does not work.`);
  }
  const response = await fetch(discovered.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: 'none',
      redirect_uri: publicUrl + GOOGLE_CALLBACK_PATH,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  return googleCheck(errorResponse.safeParse(await response.json().catch(() => ({}))).data?.error, publicUrl);
}

async function discover({ discoveryUrl }: GoogleClient): Promise<z.infer<typeof document>> {
  const response = await fetch(discoveryUrl, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw Object.assign(new Error(), { code: response.status });
  return document.parse(await response.json());
}

/** @param error OAuth error code; `invalid_grant` if the client is valid */
export function googleCheck(error: string | undefined, publicUrl: string): Check {
  const address = `${publicUrl}${GOOGLE_CALLBACK_PATH}`;
  if (error === 'invalid_grant') return ok(SUBJECT, 'the discovery document loads, and Google accepts the client.');
  if (error === 'redirect_uri_mismatch')
    return wrong(SUBJECT, `add the redirect address ${address} to the client at Google.`);
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return wrong(
      SUBJECT,
      'GOOGLE_CLIENT_ID or GOOGLE_CLIENT_SECRET is invalid. Copy both again from Google’s page “Clients”.',
    );
  }
  return warning(SUBJECT, 'the discovery document loads; the client could not be verified.');
}
