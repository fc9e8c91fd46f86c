import type { FailureCode } from '#domain/failures.ts';

/** The specification's text, its error code, and where it occurs. */
type SpecifiedFailure = readonly [string, FailureCode, string];

/**
 * Texts of §5 and §8 that users never see, because our own text replaces them. The router and the types rule out
 * No usid, No orgId, No installerId, No donate amount field, no pageId, and no cell name. The program has no funders.
 */
export const REPLACED_TEXTS: readonly SpecifiedFailure[] = [
  ['No email', 'no-email', 'profile form, pledge form'],
  ['No data', 'no-data', 'every call with a body'],
  ['No slug', 'no-slug', 'Create Org, Org settings'],
  ['No checkoutId', 'no-checkout-id', 'profile submission'],
  ['No Event', 'no-event', 'any lookup by id'],
  ['Only admins', 'only-admins', 'deleting an offsetter'],
  ['No cell', 'no-cell', 'reading or saving a page text'],
  ['No file', 'no-file', 'photo upload'],
  ['No img', 'no-img', 'profile form'],
  ['No name', 'no-name', 'profile form'],
  ['No story', 'no-story', 'profile form'],
  ['NO amount', 'no-amount', 'donate page'],
  ['No travelers', 'no-travelers', 'air calculator'],
  ['No miles', 'no-miles', 'air and car calculators'],
  ["error - wasn't expecting offsetType", 'unexpected-offset-type', 'titles of cart items'],
  ["error - wasn't expecting type", 'unexpected-item-type', 'titles of cart items'],
  ['yearly interval error', 'yearly-interval', 'cart'],
];

/** Texts of §5 and §8 that are used as specified, with typos corrected (decisions §1: upoad, Opps, Cant). */
export const UNCHANGED_TEXTS: readonly SpecifiedFailure[] = [
  ['Not a valid email: {email}', 'invalid-email', 'profile form, pledge form'],
  [
    'There was a problem. Please contact {email} if your profile did not upload.',
    'profile-upload-failed',
    'checkout page',
  ],
  ['Oops, there may have been a problem sending the reset link.', 'reset-email-failed', 'forgot-password page'],
  ['authorization error', 'authorization-failed', 'loading the profile on sign-in, logged'],
  ['ERROR SETTING CUSTOM CLAIMS', 'claims-failed', 'taking a role, logged'],
  ['Failed to get document because the client is offline.', 'offline', 'every read of the web client'],
  ["You don't have permission to view this page.", 'forbidden', 'every call that the permission table rejects'],
  ['$5 minimum to checkout', 'cart-below-minimum', 'cart tab, checkout call'],
];
