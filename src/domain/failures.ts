/**
 * Everything that can be refused or go wrong, by a stable code: what a person reads, and where it arises.
 * The wording of §8 stands wherever §8 has one; each string of §8 that cannot arise says why (`never`).
 */
type FailureEntry = {
  /** A sentence for a person. Parts in braces are filled from the failure's details. */
  readonly message: string;
  /** The specification's own string (§5, §8), where the sentence is ours. */
  readonly says?: string;
  /** Where it arises, or with `never` why it cannot. */
  readonly where?: string;
  readonly never?: string;
};

const entry = (message: string, more: Omit<FailureEntry, 'message'> = {}): FailureEntry => ({ message, ...more });

const TYPED = 'The path cannot be written without it: the router and the types demand it.';

export const FAILURES = {
  // Missing parts of a request (§8, thrown plain strings)
  'no-usid': entry('No user was named.', { says: 'No usid', never: TYPED }),
  'no-email': entry('Please enter an email address.', { says: 'No email', where: 'profile form, pledge form' }),
  'no-org-id': entry('No organization was named.', { says: 'No orgId', never: TYPED }),
  'no-data': entry('The request had no content.', { says: 'No data', where: 'every call with a body' }),
  'no-slug': entry('Please enter a short name.', { says: 'No slug', where: 'Create Org, Org settings' }),
  'no-checkout-id': entry('The form does not say which checkout it is for.', {
    says: 'No checkoutId',
    where: 'profile submission',
  }),
  'no-installer-id': entry('No installer was named.', { says: 'No installerId', never: TYPED }),
  'no-funder-id': entry('No funder was named.', { says: 'No funder id', never: 'The product has no funders.' }),
  'no-event': entry('That page does not exist.', { says: 'No Event', where: 'any look-up by id' }),
  'only-admins': entry('Only admins can do that.', { says: 'Only admins', where: 'deleting an offsetter' }),
  'no-cell': entry('That text does not exist.', { says: 'No cell', where: 'reading or saving a page text' }),
  'no-file': entry('Please choose a photo.', { says: 'No file', where: 'photo upload' }),
  'no-img': entry('Please choose a photo.', { says: 'No img', where: 'profile form' }),
  'no-name': entry('Please enter a name.', { says: 'No name', where: 'profile form' }),
  'no-story': entry('Please tell your story.', { says: 'No story', where: 'profile form' }),
  'no-amount': entry('Please enter an amount.', { says: 'NO amount', where: 'donate page' }),
  'no-travelers': entry('Please say how many people travel.', { says: 'No travelers', where: 'air calculator' }),
  'no-miles': entry('Please say how many miles.', { says: 'No miles', where: 'air and car calculators' }),
  'no-donate-amount-field': entry('The amount field is missing.', {
    says: 'No donate amount field',
    never: 'The amount is React state, and is not looked up in the page.',
  }),
  'no-page-id': entry('No page was named.', { says: 'no pageId', never: TYPED }),
  'no-cell-name': entry('No text was named.', { says: 'no cell name', never: TYPED }),
  'unexpected-offset-type': entry('An offset must say what it is for: air, car or home.', {
    says: "error - wasn't expecting offsetType",
    where: 'titles of cart items',
  }),
  'unexpected-item-type': entry('A cart item must be a donation or an offset.', {
    says: "error - wasn't expecting type",
    where: 'titles of cart items',
  }),
  'yearly-interval': entry('A yearly gift recurs every year, so its interval must be 1.', {
    says: 'yearly interval error',
    where: 'cart',
  }),

  // Sentences of §5 and §8 that a person reads
  'invalid-email': entry('Not a valid email: {email}', { where: 'profile form, pledge form' }),
  'profile-upload-failed': entry('There was a problem. Please contact {email} if your profile did not upload.', {
    where: 'checkout page',
  }),
  offline: entry('Failed to get document because the client is offline.', { where: 'every read of the web client' }),
  'reset-mail-failed': entry('Oops, there may have been a problem sending the reset link.', {
    where: 'forgot-password page',
  }),
  'authorization-failed': entry('authorization error', { where: 'loading the profile on sign-in, logged' }),
  'claims-failed': entry('ERROR SETTING CUSTOM CLAIMS', { where: 'taking a role, logged' }),
  'unknown-api-host': entry("Can't find api url", { where: 'web client, logged' }),
  forbidden: entry("You don't have permission to view this page.", {
    where: 'every call the permission table refuses',
  }),

  // The cart and the checkout
  'cart-empty': entry('The cart is empty.'),
  'cart-too-many-items': entry('A cart holds at most {most} items.'),
  'cart-below-minimum': entry('$5 minimum to checkout', { where: 'cart tab, checkout call' }),
  'cart-above-maximum': entry('One checkout takes at most {most}. Please write to us about a larger gift.'),
  'cost-mismatch': entry('{item} costs {expected}, not {actual}. Please remove it and add it again.'),
  'carbon-missing': entry('{item} offsets no carbon. Please remove it and add it again.'),
  'carbon-on-donation': entry('A donation offsets no carbon, so its carbon must be 0.'),
  'amount-not-whole-dollars': entry('Please enter a whole number of dollars, 1 or more.'),
  'donation-not-whole-dollars': entry('{item} must be a whole number of dollars, 1 or more.'),
  'interval-out-of-range': entry('{item} can recur every 1 to 36 months.'),
  'interval-without-recurrence': entry('{item} does not recur, so it takes no interval.'),
  'two-intervals': entry('One checkout takes one recurring interval. Please check out {item} separately.'),
  'checkout-not-paid': entry('This checkout is not paid yet.'),
  'checkout-over': entry('This checkout is over.'),
  'payment-unavailable': entry('The payment provider cannot be reached just now. Your cart is kept; please try again.'),

  // Checks, and what the treasurer does
  'checkout-not-closed': entry(
    'The payment page of this checkout could not be closed, because the payment provider cannot be reached just now. Nothing was deleted; please try again.',
  ),
  'pledge-not-found': entry('This check does not exist.'),
  'pledge-received': entry('This check is received already, and counted.'),
  'pledge-withdrawn': entry('This pledge was canceled. Restore it first.'),
  'check-number-too-long': entry('A check number has at most {most} characters.'),
  'note-too-long': entry('A note has at most {most} characters.'),
  'day-invalid': entry('Please choose a day of the calendar.'),
  'day-to-come': entry('That day is still to come.'),
  'day-too-long-ago': entry('That day is more than {most} years ago.'),
  'days-backwards': entry('The first day comes after the last one.'),
  'receipt-not-found': entry('There is no receipt for this gift.'),
  'receipt-without-address': entry('This receipt has no email address that it could go to.'),

  // Profiles and photos
  'name-too-short': entry('Please enter a name of at least {least} characters.'),
  'name-too-long': entry('Please enter a name of at most {most} characters.'),
  'story-too-short': entry('Please tell your story in at least {least} characters.'),
  'story-too-long': entry('Please tell your story in at most {most} characters.'),
  'story-without-photo': entry('A story is published with a photo. Please add one first.'),
  'no-consent': entry('A story is published with the awardee’s consent. Please record it first.'),
  'story-refunded': entry('The gift of this story was refunded, so it stays hidden.'),
  'story-not-to-be-shown': entry('Whoever told this story asked not to be shown.'),
  'photo-too-large': entry('The photo is too large. Max file size 25MB.'),
  'photo-format': entry('Please choose a JPEG, PNG, WebP or AVIF photo.'),
  'photo-unreadable': entry('This photo cannot be opened. It may be damaged; please choose another.'),
  'photo-too-many-pixels': entry('This photo has too many pixels. {kind} may have at most {most} megapixels.'),

  // Organizations
  'slug-invalid': entry(
    'A short name has {least} to {most} of the letters a–z, digits, and single hyphens between them.',
  ),
  'slug-reserved': entry('“{slug}” is a word of this site’s own addresses. Please choose another short name.'),
  'slug-taken': entry('“{slug}” is the short name of another organization. Please choose another.'),
  'no-tag': entry('Please enter a tag.'),
  'tag-too-long': entry('Please enter a tag of at most {most} characters.'),
  'stats-moved': entry('The stats have changed meanwhile. Please look at them again before you set them.'),

  // Texts of the site
  'text-empty': entry('An empty text is not saved: the one before it stays.'),
  'text-too-long': entry('This text is {over} characters too long. It may have at most {most}.'),
  'text-too-nested': entry('Lists and quotations stand too deep in each other. Please nest them at most {most} deep.'),
  'text-too-many-items': entry('Lists and quotations may have at most {most} lines in all.'),
  'text-too-many-marks': entry(
    'One paragraph has more than {most} marks such as * or [. Please divide it by an empty line.',
  ),
  'story-changed': entry('Somebody else saved this story meanwhile. Nothing is lost: please choose which one stays.'),
  'text-changed': entry('{savedBy} saved another text meanwhile. Nothing is lost: please choose which one stays.'),

  // People
  'wrong-credentials': entry('That email and password don’t match.', { where: 'login page' }),
  'password-too-short': entry('Please choose a password of at least {least} characters.'),
  'password-too-long': entry('Please choose a password of at most {most} characters.'),
  'password-too-common': entry('This password is too easy to guess. Please choose another.'),
  'password-is-address': entry('Your email address is too easy to guess as a password. Please choose another.'),
  'link-invalid': entry('This link was used already or is too old. Please ask for a new one.'),
  'email-unverified': entry('Please verify your email address first.'),
  'google-unavailable': entry('Google cannot be reached just now. Please try again, or use a link by email.'),
  'user-not-found': entry('This person does not exist.'),
  'editor-not-found': entry('This person is not an editor here.'),
  'already-editor': entry('{name} is an editor already.'),
  'invitation-not-found': entry('This invitation does not exist any more.'),
  'last-editor': entry('This is the last editor. Add another one first, or ask an admin.'),
  'gifts-not-stopped': entry(
    'What you began to give could not be stopped, because the payment provider cannot be reached just now. Nothing was deleted; please try again.',
  ),
  'last-admin': entry('This is the last admin. Make somebody else an admin first.'),

  // Calls
  'invalid-input': entry('{problem}'),
  'unknown-cursor': entry(
    'The list cannot go on from here: the cursor “{cursor}” is not in it. Please load it from its beginning.',
  ),
  'org-not-found': entry('This organization does not exist.'),
  'checkout-not-found': entry('This checkout does not exist.'),
  'offsetter-not-found': entry('This offsetter does not exist.'),
  'awardee-not-found': entry('This awardee does not exist.'),
  'installer-not-found': entry('This installer does not exist.'),
  'call-not-found': entry('There is no such call.'),
  'page-not-found': entry('This page does not exist.'),
  'method-not-allowed': entry('This address does not take {method}.'),
  'body-too-large': entry('The request is too large.'),
  'unsupported-media-type': entry('This kind of content is not understood here.'),
  'missing-requested-with': entry('A changing call needs the header X-Requested-With.'),
  'login-required': entry('Please log in first.'),
  'token-invalid': entry('Your sign-in has expired. Please sign in again.'),
  'token-stale': entry('This needs a fresh sign-in. Please try again.'),
  'too-many-requests': entry('That was a lot at once. Please try again in {wait}.'),
  'webhook-signature': entry('The signature of this event is not valid.'),
  'webhook-mismatch': entry('This payment does not match the checkout it names.'),
  'search-too-short': entry('Please type at least {least} characters.'),
  'search-without-letters': entry('Please type at least {least} letters or digits of a city’s name.'),
  'search-too-long': entry('Please type at most {most} characters.'),
  'server-error': entry('Something went wrong on our side. Please try again.'),
} as const satisfies Record<string, FailureEntry>;

export type FailureCode = keyof typeof FAILURES;
export type FailureDetails = Readonly<Record<string, string | number>>;

/** A refusal by name. A use-case returns it; a calculation that was asked nonsense throws it. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;

  constructor(code: FailureCode, details: FailureDetails = {}) {
    super(sentenceOf(code, details));
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

/** The catalogue's sentence for a code, its braces filled. */
export function sentenceOf(code: FailureCode, details: FailureDetails = {}): string {
  return FAILURES[code].message.replace(/\{(\w+)\}/g, (brace, name: string) => String(details[name] ?? brace));
}

/** Too many tries at once. @param seconds a whole number, 1 or more, after which there is room again */
export function tooManyRequests(seconds: number): Failure {
  return new Failure('too-many-requests', { seconds, wait: waitText(seconds) });
}

/** "1 second", "40 seconds", "12 minutes": never less than it is. */
function waitText(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
