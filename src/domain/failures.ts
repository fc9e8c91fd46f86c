import { type InLanguage, m } from '#messages';
import type { FORM_SENTENCES } from './form-failures.ts';
import type { REFUSALS } from './refusals.ts';

/** A message with any inputs. */
export type Sentence = (details: never, options?: InLanguage) => string;

/**
 * Sentences of failures that pages show without the server, by their stable code. The others are in form-failures.ts and
 * refusals.ts, which pages need not load.
 */
export const SENTENCES = {
  // Missing parts of a request (§8, thrown plain strings)
  'no-email': m.failNoEmail,
  'no-cell': m.failNoCell,
  'no-img': m.failNoFile,
  'no-name': m.failNoName,
  'no-story': m.failNoStory,
  'no-amount': m.failNoAmount,
  'no-travelers': m.failNoTravelers,
  'no-miles': m.failNoMiles,
  'unexpected-offset-type': m.failUnexpectedOffsetType,
  'unexpected-item-type': m.failUnexpectedItemType,
  'yearly-interval': m.failYearlyInterval,

  // Sentences of §5 and §8 that a person reads
  'invalid-email': m.failInvalidEmail,
  'profile-upload-failed': m.failProfileUploadFailed,
  offline: m.failOffline,
  forbidden: m.failForbidden,

  // The cart and the checkout
  'cart-empty': m.failCartEmpty,
  'cart-too-many-items': m.failCartTooManyItems,
  'cart-below-minimum': m.failCartBelowMinimum,
  'cart-above-maximum': m.failCartAboveMaximum,
  'cost-mismatch': m.failCostMismatch,
  'carbon-missing': m.failCarbonMissing,
  'carbon-on-donation': m.failCarbonOnDonation,
  'amount-not-whole-dollars': m.failAmountNotWholeDollars,
  'donation-not-whole-dollars': m.failDonationNotWholeDollars,
  'interval-out-of-range': m.failIntervalOutOfRange,
  'interval-without-recurrence': m.failIntervalWithoutRecurrence,
  'two-intervals': twoIntervals,

  // Profiles and photos
  'name-too-short': m.failNameTooShort,
  'name-too-long': m.failNameTooLong,
  'story-too-short': m.failStoryTooShort,
  'story-too-long': m.failStoryTooLong,
  'photo-too-large': m.failPhotoTooLarge,
  'photo-format': m.failPhotoFormat,

  // Organizations
  'place-too-long': m.failPlaceTooLong,

  // Calls
  'server-error': m.failServerError,
} as const satisfies Record<string, Sentence>;

/** Fills in the first word itself. */
function twoIntervals(details: { one: string; other: string }, options?: InLanguage): string {
  return m.failTwoIntervals(details, options).replace(/^./, (letter) => letter.toUpperCase());
}

export type FailureCode = keyof typeof SENTENCES | keyof typeof FORM_SENTENCES | keyof typeof REFUSALS;

/** Words that fill in a sentence, in its language. */
export type Words = (options?: InLanguage) => string;

export type FailureDetails = Readonly<Record<string, string | number | Words>>;

/**
 * A named failure. Use cases return it; calculations throw it for invalid input. Its message is its sentence in the page's
 * language, or only its code if refusals.ts has the sentence.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly details: FailureDetails;

  /** @param sentence needed if SENTENCES doesn't have it */
  constructor(
    code: FailureCode,
    details: FailureDetails = {},
    sentence: Sentence | undefined = SENTENCES[code as keyof typeof SENTENCES],
  ) {
    super(sentence ? filledSentence(sentence, details) : code);
    this.name = 'Failure';
    this.code = code;
    this.details = details;
  }
}

/** The sentence for a code, with its details filled in. */
export function sentenceOf(code: keyof typeof SENTENCES, details?: FailureDetails, options?: InLanguage): string {
  return filledSentence(SENTENCES[code], details, options);
}

/** A sentence with its details filled in. Missing details keep their braces. */
export function filledSentence(sentence: Sentence, details: FailureDetails = {}, options?: InLanguage): string {
  const words = new Proxy(
    {},
    {
      get: (_, name: string) => {
        const detail = Object.hasOwn(details, name) ? details[name] : `{${name}}`;
        return typeof detail === 'function' ? detail(options) : String(detail);
      },
    },
  );
  return sentence(words as never, options);
}
