import type { REFUSALS } from './refusals.ts';

/**
 * The sentences of failures that pages can say without the server, by their stable code. Parts in braces are filled from
 * the failure's details. The rest is in refusals.ts, which pages need not load.
 */
export const SENTENCES = {
  // Missing parts of a request (§8, thrown plain strings)
  'no-email': 'Please enter an email address.',
  'no-slug': 'Please enter a short name.',
  'no-cell': 'That text does not exist.',
  'no-img': 'Please choose a photo.',
  'no-name': 'Please enter a name.',
  'no-story': 'Please tell your story.',
  'no-amount': 'Please enter an amount.',
  'no-travelers': 'Please say how many people travel.',
  'no-miles': 'Please say how many miles.',
  'unexpected-offset-type': 'An offset must say what it is for: {types}.',
  'unexpected-item-type': 'A cart item must be a donation or an offset.',
  'yearly-interval': 'A yearly gift recurs every year, so its interval must be 1.',

  // Sentences of §5 and §8 that a person reads
  'invalid-email': 'Not a valid email: {email}',
  'profile-upload-failed': 'There was a problem. Please contact {email} if your profile did not upload.',
  offline: 'Failed to get document because the client is offline.',
  'reset-mail-failed': 'Oops, there may have been a problem sending the reset link.',
  'authorization-failed': 'authorization error',
  'claims-failed': 'ERROR SETTING CUSTOM CLAIMS',
  forbidden: "You don't have permission to view this page.",

  // The cart and the checkout
  'cart-empty': 'The cart is empty.',
  'cart-too-many-items': 'A cart holds at most {most} items.',
  'cart-below-minimum': '$5 minimum to checkout',
  'cart-above-maximum': 'One checkout takes at most {most}. Please write to us about a larger gift.',
  'cost-mismatch': '{item} costs {expected}, not {actual}. Please remove it and add it again.',
  'carbon-missing': '{item} offsets no carbon. Please remove it and add it again.',
  'carbon-on-donation': 'A donation offsets no carbon, so its carbon must be 0.',
  'amount-not-whole-dollars': 'Please enter a whole number of dollars, 1 or more.',
  'donation-not-whole-dollars': '{item} must be a whole number of dollars, 1 or more.',
  'interval-out-of-range': '{item} can recur every 1 to 36 months.',
  'interval-without-recurrence': '{item} does not recur, so it takes no interval.',
  'two-intervals': '{gifts} can’t be paid together. Check out one now, then come back for the other.',

  // Checks, and what the treasurer does
  'refund-too-much': 'Only {left} of this payment is left to refund.',
  'no-reason': 'Please enter a reason.',
  'reason-too-long': 'A reason has at most {most} characters.',
  'note-too-short': 'Please say what was done, in at least {least} characters.',
  'note-too-long': 'A note has at most {most} characters.',
  'day-invalid': 'Please choose a date that exists.',
  'day-to-come': 'That day is in the future.',
  'day-too-long-ago': 'That day is more than {most} years ago.',
  'days-backwards': 'The first day comes after the last one.',

  // Profiles and photos
  'name-too-short': 'Please enter a name of at least {least} characters.',
  'name-too-long': 'Please enter a name of at most {most} characters.',
  'story-too-short': 'Please tell your story in at least {least} characters.',
  'story-too-long': 'Please tell your story in at most {most} characters.',
  'story-without-photo': 'A story is published with a photo. Please add one first.',
  'no-consent': 'A story is published with the awardee’s consent. Please record it first.',
  'photo-too-large': 'The photo is too large. Max file size 25MB.',
  'photo-format': 'Please choose a JPEG, PNG, WebP or AVIF photo.',

  // Organizations
  'slug-invalid': 'A short name has {least} to {most} of the letters a–z, digits, and single hyphens between them.',
  'slug-reserved': '“{slug}” is a word of this site’s own addresses. Please choose another short name.',
  'place-too-long': 'Please enter a place of at most {most} characters.',
  'no-tag': 'Please enter a tag.',
  'tag-too-long': 'Please enter a tag of at most {most} characters.',

  // Texts of the site
  'text-empty': 'An empty text is not saved: the one before it stays.',
  'text-too-long': 'This text is {over} characters too long. It may have at most {most}.',

  // People
  'password-too-short': 'Please choose a password of at least {least} characters.',
  'password-too-long': 'Please choose a password of at most {most} characters.',
  'password-too-common': 'This password is too easy to guess. Please choose another.',
  'password-is-address': 'Your email address is too easy to guess as a password. Please choose another.',

  // Calls
  'server-error': 'Something went wrong on our side. Please try again.',
} as const satisfies Record<string, string>;

export type FailureCode = keyof typeof SENTENCES | keyof typeof REFUSALS;

export type FailureDetails = Readonly<Record<string, string | number>>;

/**
 * A named failure. Use-cases return it; calculations throw it for invalid input. Its message is its sentence, or only its
 * code if refusals.ts has the sentence.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;

  constructor(code: FailureCode, details: FailureDetails = {}) {
    super(code in SENTENCES ? sentenceOf(code as keyof typeof SENTENCES, details) : code);
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

/** The sentence for a code, with its braces filled. */
export function sentenceOf(code: keyof typeof SENTENCES, details?: FailureDetails): string {
  return filledSentence(SENTENCES[code], details);
}

/** A sentence whose braces are filled from the details; they stay where there are none. */
export function filledSentence(sentence: string, details: FailureDetails = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (brace, name: string) => String(details[name] ?? brace));
}
