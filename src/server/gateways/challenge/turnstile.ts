import { z } from 'zod';
import { failing, ok, type SettingCheck, warning } from '#server/gateways/check.ts';
import type { Log } from '#server/log.ts';

/** A test that distinguishes people from bots. */
export type Challenge = {
  /** Public key that identifies the site to the widget on the page. */
  readonly siteKey: string;
  /** The origin of the widget's script and frame. */
  readonly origin: string;
  /** @param token the widget's token, valid once and for five minutes */
  isPassed(token: string): Promise<boolean>;
};

export type TurnstileOptions = {
  readonly siteKey: string;
  readonly secretKey: string;
  readonly log: Pick<Log, 'warn'>;
  /** Origin of Cloudflare's service, without a trailing slash. */
  readonly origin: string;
};

const TIMEOUT_MS = 5000;

const verificationSchema = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

/**
 * Verifies challenges with Cloudflare Turnstile. If it is unreachable, every challenge fails. Challenges are required only
 * during card-testing attacks.
 */
export function createTurnstile({ siteKey, secretKey, origin, log }: TurnstileOptions): Challenge {
  return {
    siteKey,
    origin,
    isPassed: async (token) => {
      try {
        const { success, 'error-codes': codes } = await verify({ secretKey, origin }, token);
        if (codes.some((code) => code.endsWith('-input-secret')))
          log.warn({}, 'Turnstile rejects TURNSTILE_SECRET_KEY, so challenged visitors can’t pay by card');
        return success;
      } catch {
        // The error is not logged because it might contain the secret.
        log.warn({}, 'Turnstile is unreachable, so challenged visitors can’t pay by card');
        return false;
      }
    },
  };
}

async function verify(
  { secretKey, origin }: TurnstileKeys,
  token: string,
): Promise<z.infer<typeof verificationSchema>> {
  const response = await fetch(`${origin}/turnstile/v0/siteverify`, {
    method: 'POST',
    body: new URLSearchParams({ secret: secretKey, response: token }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  return verificationSchema.parse(await response.json());
}

type TurnstileKeys = Pick<TurnstileOptions, 'secretKey' | 'origin'>;

/** Checks the secret by sending it with an invalid token. */
export async function checkTurnstile(keys: TurnstileKeys): Promise<SettingCheck> {
  const subject = 'Turnstile';
  const { success, 'error-codes': errors } = await verify(keys, 'none');
  if (success) return warning(subject, 'accepts every token: TURNSTILE_SECRET_KEY is a test key.');
  return errors.some((code) => code.endsWith('-input-secret'))
    ? failing(subject, 'TURNSTILE_SECRET_KEY is invalid. Copy both keys again from Cloudflare.')
    : ok(subject, 'accepts the secret key.');
}
