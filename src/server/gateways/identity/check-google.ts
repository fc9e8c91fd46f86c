import { z } from 'zod';
import { errorLabel, failing, ok, type SettingCheck, warning } from '#server/gateways/check.ts';
import { GOOGLE_CALLBACK_PATH, type GoogleClient } from './google-sign-in.ts';

const SUBJECT = 'Google login';
const TIMEOUT_MS = 10_000;
const discoverySchema = z.object({ issuer: z.string(), token_endpoint: z.url() });
const errorSchema = z.object({ error: z.string() });

/** Loads the discovery document, and checks the client's secret by sending it with an invalid code. */
export async function checkGoogle(client: GoogleClient, publicUrl: string): Promise<SettingCheck> {
  const discovery = await discover(client).catch((error: unknown) => errorLabel(error));
  if (typeof discovery === 'string') {
    return failing(SUBJECT, `${client.discoveryUrl} can’t be loaded (${discovery}), so Google login doesn’t work.`);
  }
  const response = await fetch(discovery.token_endpoint, {
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
  return toGoogleCheck(errorSchema.safeParse(await response.json().catch(() => ({}))).data?.error, publicUrl);
}

async function discover({ discoveryUrl }: GoogleClient): Promise<z.infer<typeof discoverySchema>> {
  const response = await fetch(discoveryUrl, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) throw Object.assign(new Error(), { code: `status ${response.status}` });
  return discoverySchema.parse(await response.json());
}

/** @param error OAuth error code; `invalid_grant` if the client is valid */
export function toGoogleCheck(error: string | undefined, publicUrl: string): SettingCheck {
  const address = `${publicUrl}${GOOGLE_CALLBACK_PATH}`;
  if (error === 'invalid_grant')
    return ok(SUBJECT, 'the discovery document loads, and Google accepts the client id and secret.');
  if (error === 'redirect_uri_mismatch')
    return failing(SUBJECT, `add the redirect address ${address} to the client at Google.`);
  if (error === 'invalid_client' || error === 'unauthorized_client') {
    return failing(
      SUBJECT,
      'GOOGLE_CLIENT_ID or GOOGLE_CLIENT_SECRET is invalid. Copy both again from Google’s “Clients” page.',
    );
  }
  return warning(SUBJECT, 'the discovery document loads, but the client id and secret could not be verified.');
}
