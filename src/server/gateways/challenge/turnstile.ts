import { z } from 'zod';
import type { Log } from '#server/db/connection.ts';
import { type Check, ok, warning, wrong } from '#server/gateways/check.ts';

/** Tells people from programs. */
export type Challenge = {
  /** Public: names the site to the widget on the page. */
  readonly siteKey: string;
  /** The origin of the widget's script and frame. */
  readonly origin: string;
  /** @param passed what the page got from the widget; good once, for five minutes */
  isPassed(passed: string): Promise<boolean>;
};

export type TurnstileOptions = {
  readonly siteKey: string;
  readonly secretKey: string;
  readonly log: Pick<Log, 'warn'>;
  /** No slash at the end. */
  readonly origin: string;
};

const TIMEOUT_MS = 5000;

const answer = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

/** Cloudflare's Turnstile. If it cannot be asked, nobody passes: it is asked only while cards are being tried. */
export function turnstile({ siteKey, secretKey, origin, log }: TurnstileOptions): Challenge {
  return {
    siteKey,
    origin,
    isPassed: async (passed) => {
      try {
        return (await verify({ secretKey, origin }, passed)).success;
      } catch {
        // Its error might name the secret.
        log.warn({}, 'Turnstile could not be asked, so those who were challenged cannot pay by card.');
        return false;
      }
    },
  };
}

async function verify({ secretKey, origin }: Keys, passed: string): Promise<z.infer<typeof answer>> {
  const response = await fetch(`${origin}/turnstile/v0/siteverify`, {
    method: 'POST',
    body: new URLSearchParams({ secret: secretKey, response: passed }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  });
  return answer.parse(await response.json());
}

type Keys = Pick<TurnstileOptions, 'secretKey' | 'origin'>;

/** Shows the secret with an answer that is none. */
export async function checkTurnstile(keys: Keys): Promise<Check> {
  const subject = 'Turnstile';
  const { success, 'error-codes': errors } = await verify(keys, 'none');
  if (success) return warning(subject, 'lets everything pass: TURNSTILE_SECRET_KEY is one for tests.');
  return errors.some((code) => code.endsWith('-input-secret'))
    ? wrong(subject, 'TURNSTILE_SECRET_KEY is refused. Copy both keys again from Cloudflare.')
    : ok(subject, 'knows the secret key.');
}
