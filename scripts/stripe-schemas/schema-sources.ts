import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Stripe from 'stripe';

const SOURCES = ['../stripe-schemas.ts', './to-wire-schema.ts', '../../src/sandbox/schemas/stripe-requests.ts'];

/** Sources of the request schemas: the SDK and API versions, and a digest of our own files. */
export type SchemaSources = { readonly stripe: string; readonly apiVersion: string; readonly sources: string };

/** The current sources. Comparing them is fast, while generating the schemas takes seconds. */
export function readSchemaSources(): SchemaSources {
  const hash = createHash('sha256');
  for (const source of SOURCES)
    hash.update(readFileSync(new URL(source, import.meta.url), 'utf8').replaceAll('\r\n', '\n'));
  return { stripe: Stripe.PACKAGE_VERSION, apiVersion: Stripe.API_VERSION, sources: hash.digest('hex').slice(0, 16) };
}
