import { Failure, type FailureCode, filledSentence, SENTENCES } from './failures.ts';
import { TRIBUTE_REFUSALS } from './tribute-refusals.ts';

/** The sentences that only the server says. Pages show them as they arrive. */
export const REFUSALS = {
  // Missing parts of a request (§8, thrown plain strings)
  'no-data': 'The request had no content.',
  'no-checkout-id': 'The form does not say which checkout it is for.',
  'no-event': 'That page does not exist.',
  'only-admins': 'Only admins can do that.',
  'no-file': 'Please choose a photo.',
  'no-usid': 'No user was named.',
  'no-org-id': 'No organization was named.',
  'no-installer-id': 'No installer was named.',
  'no-funder-id': 'No funder was named.',
  'no-donate-amount-field': 'The amount field is missing.',
  'no-page-id': 'No page was named.',
  'no-cell-name': 'No text was named.',

  // Sentences of §5 and §8 that a person reads
  'unknown-api-host': "Can't find api url",

  // The cart and the checkout
  'checkout-not-paid': 'This checkout is not paid yet.',
  'checkout-over': 'This checkout is over.',
  'card-fee-not-offered': 'The card fee can’t be added here any more. Please reload the page and try again.',
  'total-changed': 'The total is {expected} now, not {actual}. Please reload the page and look at it again.',
  'cards-declined':
    'Many cards were declined for visitors from your network, so we take no cards from there for now. Please try again in {wait}, or send a check. Your cart is kept.',
  'challenge-needed': 'Many cards are being declined just now. Please show that you are a person.',
  'payment-unavailable': 'The payment provider cannot be reached just now. Your cart is kept; please try again.',

  // Gifts in honor or in memory of someone
  ...TRIBUTE_REFUSALS,
  'card-not-found': 'This gift has no card by email.',
  'card-not-paid': 'The card is mailed once the gift is paid.',

  // Checks, and what the treasurer does
  'checkout-not-closed':
    'The payment provider did not answer, so we don’t know whether this checkout can still be charged. Nothing was deleted; please try again.',
  'checkout-processing':
    'The payment of this checkout is still under way at the bank. Nothing was deleted; please try again when it has arrived or failed.',
  'payment-not-found': 'This checkout has no such payment.',
  'refund-unavailable':
    'The card processor did not answer, so we don’t know whether the refund was made. Please try again: it is made only once.',
  'refund-disputed': 'The donor’s bank has disputed this payment, so it can’t be refunded as well.',
  'refund-changed':
    'An earlier try had another amount or reason, and may have been made. Please close this and look at the payment again.',
  'refund-refused': 'The card processor refused this refund. Please look at the payment there.',
  'pledge-not-found': 'This check does not exist.',
  'pledge-received': 'This check was already received and counted.',
  'pledge-not-received': 'This check is not recorded as received, so there is nothing to reverse.',
  'pledge-withdrawn': 'This pledge was canceled. Restore it first.',
  'attention-not-found': 'This payment does not exist, or does not belong here.',
  'attention-settled': 'This payment was settled in the meantime.',
  'check-number-too-long': 'A check number has at most {most} characters.',
  'receipt-not-found': 'There is no receipt for this gift.',
  'payout-not-found': 'There is no such payout here.',
  'month-not-found': 'There is no statement for this month.',
  'receipt-without-address': 'This receipt has no email address to go to.',

  // Recurring gifts
  'gift-not-found': 'This recurring gift does not exist.',
  'gift-ended': 'This gift has ended. Nothing more will be charged.',
  'gift-past-due': 'The last charge of this gift did not go through. Please change the card first.',
  'gift-not-stopped':
    'The payment provider did not answer, so we don’t know whether the gift was stopped. Please try again: stopping twice does no harm.',
  'gift-not-changed':
    'The payment provider did not answer, so the gift may have been changed or not. Please look at it again in a moment.',

  // Profiles and photos
  'story-refunded': 'The gift of this story was refunded, so it stays hidden.',
  'story-not-to-be-shown': 'The person who told this story asked not to be shown.',
  'photo-unreadable': 'This photo cannot be opened. It may be damaged; please choose another.',
  'photo-too-many-pixels': 'This photo has too many pixels. {kind} may have at most {most} megapixels.',
  'photo-too-long': 'A photo may be at most {most} pixels wide or high.',

  // Organizations
  'slug-taken': '“{slug}” is the short name of another organization. Please choose another.',
  'time-zone-unknown': 'Please choose a time zone from the list.',
  'stats-moved': 'The stats have changed in the meantime. Please check them again before you set them.',

  // Texts of the site
  'text-too-nested': 'Lists and quotations are nested too deeply. Please nest them at most {most} deep.',
  'text-too-many-items': 'Lists and quotations may have at most {most} lines in all.',
  'text-too-many-marks':
    'One paragraph has more than {most} marks such as * or [. Please divide it with an empty line.',
  'text-too-many-lines': 'A text may have at most {most} lines.',
  'text-too-many-cells': 'Tables may have at most {most} cells in all. Please make them smaller.',
  'text-makes-too-much': 'Many links to a very long address make this page too large. Please shorten the address.',
  'text-too-slow': 'This text takes too long to show. Please make it shorter or simpler.',
  'story-changed':
    'Someone else saved this story in the meantime. Nothing is lost: please choose which version to keep.',
  'text-changed': '{savedBy} saved another text in the meantime. Nothing is lost: please choose which version to keep.',

  // People
  'wrong-credentials': 'That email and password don’t match.',
  'wrong-password': 'That password isn’t right.',
  'code-invalid': 'That code is wrong or too old. Please try again, or ask for a new one.',
  'proof-required': 'Please confirm first that it’s you.',
  'mail-proof-required': 'Please confirm first that it’s you, with a code by email.',
  'link-invalid': 'This link was used already or is too old. Please ask for a new one.',
  'second-step-over': 'That took too long, or it was done already. Please log in again.',
  'wrong-code': 'That code is wrong, or was used already. Please try the next one.',
  'wrong-recovery-code': 'That recovery code is wrong, or was used already.',
  'passkey-refused': 'That passkey didn’t work. Please try again, or use another way.',
  'passkey-known': 'This passkey is in use already.',
  'passkey-not-found': 'This passkey does not exist any more.',
  'too-many-passkeys': 'You can have {most} passkeys. Please remove one first.',
  'authenticator-known': 'You have an authenticator app already. Please remove it first.',
  'offer-over': 'That took too long. Please start again.',
  'second-factor-needed': 'This needs a second step when you log in. Please set one up.',
  'email-unverified': 'Please verify your email address first.',
  'google-unavailable': 'Google cannot be reached just now. Please try again, or use a link by email.',
  'google-unproven': 'Google didn’t confirm that it’s you. Please try again, or use another way.',
  'session-not-found': 'This login has ended already.',
  'user-not-found': 'This person does not exist.',
  'editor-not-found': 'This person is not an editor here.',
  'already-editor': '{name} is {role} already.',
  'invitation-not-found': 'This invitation does not exist any more.',
  'last-editor': 'This is the last editor. Add another one first, or ask an admin.',
  'gifts-not-stopped':
    'The payment provider did not answer, so we don’t know whether what you began to give was stopped. Nothing was deleted; please try again.',
  'last-admin': 'This is the last admin. Make someone else an admin first.',

  // Calls
  'out-of-order': 'This site is out of order for the moment. Please try again in a few minutes.',
  'too-busy': 'Very many people are using this site at the moment. Please try again in a minute.',
  'invalid-input': '{problem}',
  'unknown-cursor':
    'The list cannot continue from here, because the cursor “{cursor}” is not in it. Please load it from the start.',
  'org-not-found': 'This organization does not exist.',
  'checkout-not-found': 'This checkout does not exist.',
  'offsetter-not-found': 'This offsetter does not exist.',
  'awardee-not-found': 'This awardee does not exist.',
  'installer-not-found': 'This installer does not exist.',
  'call-not-found': 'There is no such call.',
  'page-not-found': 'This page does not exist.',
  'method-not-allowed': 'This address does not take {method}.',
  'body-too-large': 'The request is too large.',
  'headers-too-large': 'The address or the headers of this request are too long.',
  'request-timeout': 'The request did not arrive in time.',
  'unsupported-media-type': 'This kind of content is not understood here.',
  'missing-requested-with': 'A changing call needs the header X-Requested-With.',
  'login-required': 'Please log in first.',
  'token-invalid': 'Your sign-in has expired. Please sign in again.',
  'token-stale': 'This needs a fresh sign-in. Please try again.',
  'too-many-requests': 'That was a lot at once. Please try again in {wait}.',
  'webhook-signature': 'The signature of this event is not valid.',
  'search-too-short': 'Please type at least {least} characters.',
  'search-without-letters': 'Please type at least {least} letters or digits of a city’s name.',
  'search-too-long': 'Please type at most {most} characters.',
} as const satisfies Record<string, string>;

/**
 * The sentence for everything that can be refused or go wrong. test/support/specified-failures.ts lists the
 * specification's own strings (§5, §8).
 */
export const FAILURES: Readonly<Record<FailureCode, string>> = { ...SENTENCES, ...REFUSALS };

/** Strings of §8 that cannot arise: paths and types demand what they ask for, and there are no funders. */
export const UNREACHABLE: readonly FailureCode[] = [
  'no-usid',
  'no-org-id',
  'no-installer-id',
  'no-funder-id',
  'no-donate-amount-field',
  'no-page-id',
  'no-cell-name',
];

/** What a person reads of a failure. */
export function failureSentence({ code, details }: Failure): string {
  return filledSentence(FAILURES[code], details);
}

/** @param seconds a whole number, 1 or more, after which another attempt is allowed */
export function tooManyRequests(seconds: number): Failure {
  return new Failure('too-many-requests', { seconds, wait: waitText(seconds) });
}

/** @param seconds a whole number, 1 or more, until cards are taken again */
export function cardsDeclined(seconds: number): Failure {
  return new Failure('cards-declined', { seconds, wait: waitText(seconds) });
}

/** "1 second", "40 seconds", "12 minutes": rounded up. */
function waitText(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
