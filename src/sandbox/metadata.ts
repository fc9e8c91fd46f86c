import type Stripe from 'stripe';
import { invalidRequest } from './api-error.ts';

/** Stripe's limits of metadata: 50 keys of 40 characters, values of 500. Used by every call that takes some. */
export function checkMetadata(metadata: Stripe.MetadataParam | null | '' | undefined, param: string): void {
  const entries = Object.entries(metadata || {});
  if (entries.length > 50) throw invalidRequest('Metadata can have up to 50 keys.', param);
  for (const [key, value] of entries) {
    const length = String(value).length;
    if (key.length > 40) throw invalidRequest(`Metadata keys can have up to 40 characters: ${key}`, param);
    if (length <= 500) continue;
    throw invalidRequest(
      `Metadata values can have up to 500 characters, but you passed in a value that is ${length} characters.`,
      param,
    );
  }
}

/** Answers hold metadata as text, and only the keys that have some. */
export function metadataOf(given: Stripe.MetadataParam | null | '' | undefined): Stripe.Metadata {
  const entries = Object.entries(given || {}).filter(([, value]) => value !== '' && value !== null);
  return Object.fromEntries(entries.map(([key, value]) => [key, String(value)]));
}
