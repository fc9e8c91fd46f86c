import type { FailureCode } from '#domain/failures.ts';

/** The specification's own string, its code, and where it arises, or why it never does. */
type SpecifiedFailure = readonly [string, FailureCode, string];

const TYPED = 'never: the router and the types demand it';

/** The strings of §5 and §8 that people never read: our sentence replaces them. */
export const REPLACED: readonly SpecifiedFailure[] = [
  ['No usid', 'no-usid', TYPED],
  ['No email', 'no-email', 'profile form, pledge form'],
  ['No orgId', 'no-org-id', TYPED],
  ['No data', 'no-data', 'every call with a body'],
  ['No slug', 'no-slug', 'Create Org, Org settings'],
  ['No checkoutId', 'no-checkout-id', 'profile submission'],
  ['No installerId', 'no-installer-id', TYPED],
  ['No Event', 'no-event', 'any look-up by id'],
  ['No funder id', 'no-funder-id', 'never: the product has no funders'],
  ['Only admins', 'only-admins', 'deleting an offsetter'],
  ['No cell', 'no-cell', 'reading or saving a page text'],
  ['No file', 'no-file', 'photo upload'],
  ['No img', 'no-img', 'profile form'],
  ['No name', 'no-name', 'profile form'],
  ['No story', 'no-story', 'profile form'],
  ['NO amount', 'no-amount', 'donate page'],
  ['No travelers', 'no-travelers', 'air calculator'],
  ['No miles', 'no-miles', 'air and car calculators'],
  ['No donate amount field', 'no-donate-amount-field', 'never: the amount is React state'],
  ['no pageId', 'no-page-id', TYPED],
  ['no cell name', 'no-cell-name', TYPED],
  ["error - wasn't expecting offsetType", 'unexpected-offset-type', 'titles of cart items'],
  ["error - wasn't expecting type", 'unexpected-item-type', 'titles of cart items'],
  ['yearly interval error', 'yearly-interval', 'cart'],
];

/** The strings of §5 and §8 that stay as they are, with typing errors corrected (decisions §1: upoad, Opps, Cant). */
export const KEPT: readonly SpecifiedFailure[] = [
  ['Not a valid email: {email}', 'invalid-email', 'profile form, pledge form'],
  [
    'There was a problem. Please contact {email} if your profile did not upload.',
    'profile-upload-failed',
    'checkout page',
  ],
  ['Oops, there may have been a problem sending the reset link.', 'reset-mail-failed', 'forgot-password page'],
  ["Can't find api url", 'unknown-api-host', 'web client, logged'],
  ['authorization error', 'authorization-failed', 'loading the profile on sign-in, logged'],
  ['ERROR SETTING CUSTOM CLAIMS', 'claims-failed', 'taking a role, logged'],
  ['Failed to get document because the client is offline.', 'offline', 'every read of the web client'],
  ["You don't have permission to view this page.", 'forbidden', 'every call that the permission table refuses'],
  ['$5 minimum to checkout', 'cart-below-minimum', 'cart tab, checkout call'],
];
