import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Stripe from 'stripe';

const SOURCES = ['../stripe-schemas.ts', './to-wire-schema.ts', '../../src/sandbox/schemas/request-types.ts'];

/** All that the request schemas depend on: versions of the SDK and its API, and what is written here. */
export type MadeFrom = { readonly stripe: string; readonly apiVersion: string; readonly sources: string };

/** What the schemas would be made from now. It costs nothing, where making them takes seconds. */
export function madeFrom(): MadeFrom {
  const hash = createHash('sha256');
  for (const source of SOURCES)
    hash.update(readFileSync(new URL(source, import.meta.url), 'utf8').replaceAll('\r\n', '\n'));
  return { stripe: Stripe.PACKAGE_VERSION, apiVersion: Stripe.API_VERSION, sources: hash.digest('hex').slice(0, 16) };
}
