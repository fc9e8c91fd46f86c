import { type InLanguage, m } from '#messages';
import type { CART_FAILURES } from './cart-failures.ts';
import type { FORM_FAILURES } from './form-failures.ts';
import type { PROFILE_FAILURES } from './profile-failures.ts';
import type { SERVER_FAILURES } from './server-failures.ts';

/** A message function. Its parameters differ by message. */
export type MessageFunction = (details: never, options?: InLanguage) => string;

/** Defines a failure: its HTTP status, its message in each language, and the extra fields of its response. */
export type FailureDefinition = {
  readonly status: number;
  readonly sentence: MessageFunction;
  /** Names of the details that the response includes; none by default. */
  readonly details?: readonly string[];
};

/**
 * Failures by their stable code. This file contains those that any page can show without the server. The rest are in
 * cart-failures.ts, profile-failures.ts, form-failures.ts, tribute-failures.ts, and server-failures.ts, so that a page
 * loads only the messages it needs.
 */
export const PAGE_FAILURES = {
  // Missing parts of a request (§8, thrown plain strings)
  'no-amount': { status: 422, sentence: m.failNoAmount },
  'no-travelers': { status: 422, sentence: m.failNoTravelers },
  'no-miles': { status: 422, sentence: m.failNoMiles },

  // User-facing messages from §5 and §8
  offline: { status: 422, sentence: m.failOffline },

  // The cart and the checkout
  'cart-above-maximum': { status: 422, sentence: m.failCartAboveMaximum },
  'amount-not-whole-dollars': { status: 422, sentence: m.failAmountNotWholeDollars },

  // API calls
  'server-error': { status: 500, sentence: m.failServerError },
} as const satisfies Record<string, FailureDefinition>;

type Definitions = typeof PAGE_FAILURES &
  typeof CART_FAILURES &
  typeof PROFILE_FAILURES &
  typeof FORM_FAILURES &
  typeof SERVER_FAILURES;

export type FailureCode = keyof Definitions;

/** Text for a placeholder, in the sentence's language. */
export type LocalizedText = (options?: InLanguage) => string;

type Detail = string | number | LocalizedText;

export type FailureDetails = Readonly<Record<string, Detail>>;

type SentenceParameters<Code extends FailureCode> = NonNullable<Parameters<Definitions[Code]['sentence']>[0]>;

/** Excludes sentences without placeholders, whose parameters can have any name. */
type SentencePlaceholder<Code extends FailureCode> = string extends keyof SentenceParameters<Code>
  ? never
  : keyof SentenceParameters<Code>;

/** Names of the details that the response to a failure includes. */
export type ResponseDetail<Code extends FailureCode> = Definitions[Code] extends {
  readonly details: readonly (infer Name extends string)[];
}
  ? Name
  : never;

/** Details that any failure may have. */
type OptionalDetails = {
  /** The invalid field. */
  readonly field?: string;
  /** 1 if the field's name is one that the client sent. */
  readonly fieldAsSent?: number;
  /** Seconds until another attempt is allowed. */
  readonly seconds?: number;
  /** For the log. */
  readonly reason?: string;
};

/** The details of a failure: the placeholders of its sentence, and the details that its response includes. */
export type DetailsOf<Code extends FailureCode> = Code extends FailureCode
  ? OptionalDetails & Readonly<Record<SentencePlaceholder<Code> | ResponseDetail<Code>, Detail>>
  : never;

/**
 * A named failure. Use cases return it; calculations throw it for invalid input. Its message is the sentence in the page's
 * language, or the code if only the server has the sentence.
 */
export class Failure<Code extends FailureCode = FailureCode> extends Error {
  readonly code: Code;
  readonly details: FailureDetails;

  /** @param definition defaults to the one in PAGE_FAILURES */
  constructor(
    code: Code,
    details?: DetailsOf<Code>,
    definition: FailureDefinition | undefined = PAGE_FAILURES[code as keyof typeof PAGE_FAILURES],
  ) {
    const allDetails = (details ?? {}) as FailureDetails;
    super(definition ? fillSentence(definition.sentence, allDetails) : code);
    this.name = 'Failure';
    this.code = code;
    this.details = allDetails;
  }
}

/** Returns the sentence for a code, with its details filled in. */
export function getFailureSentence(
  code: keyof typeof PAGE_FAILURES,
  details?: FailureDetails,
  options?: InLanguage,
): string {
  return fillSentence(PAGE_FAILURES[code].sentence, details, options);
}

/** Fills in a sentence's details. A placeholder without a detail keeps its braces. */
export function fillSentence(sentence: MessageFunction, details: FailureDetails = {}, options?: InLanguage): string {
  const placeholders = new Proxy(
    {},
    {
      get: (_, name: string) => {
        const detail = Object.hasOwn(details, name) ? details[name] : `{${name}}`;
        return typeof detail === 'function' ? detail(options) : String(detail);
      },
    },
  );
  return sentence(placeholders as never, options);
}
