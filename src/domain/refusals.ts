import { type InLanguage, m } from '#messages';
import { Failure, type FailureCode, filledSentence, SENTENCES, type Sentence, type Words } from './failures.ts';
import { FORM_SENTENCES } from './form-failures.ts';
import { TRIBUTE_REFUSALS } from './tribute-refusals.ts';

/** Sentences that only the server uses. Pages show them as received. */
export const REFUSALS = {
  // Missing parts of a request (§8, thrown plain strings)
  'no-data': m.failNoData,
  'no-checkout-id': m.failNoCheckoutId,
  'no-event': m.failNoEvent,
  'only-admins': m.failOnlyAdmins,
  'no-file': m.failNoFile,
  'no-usid': m.failNoUsid,
  'no-org-id': m.failNoOrgId,
  'no-installer-id': m.failNoInstallerId,
  'no-funder-id': m.failNoFunderId,
  'no-donate-amount-field': m.failNoDonateAmountField,
  'no-page-id': m.failNoPageId,
  'no-cell-name': m.failNoCellName,

  // Sentences of §5 and §8 that a person reads
  'unknown-api-host': m.failUnknownApiHost,

  // The cart and the checkout
  'checkout-not-paid': m.failCheckoutNotPaid,
  'checkout-over': m.failCheckoutOver,
  'card-fee-not-offered': m.failCardFeeNotOffered,
  'total-changed': m.failTotalChanged,
  'cards-declined': m.failCardsDeclined,
  'challenge-needed': m.failChallengeNeeded,
  'payment-unavailable': m.failPaymentUnavailable,

  // Gifts in honor or in memory of someone
  ...TRIBUTE_REFUSALS,
  'text-with-address': m.failTextWithAddress,
  'text-like-address': m.failTextLikeAddress,
  'card-not-found': m.failCardNotFound,
  'card-not-paid': m.failCardNotPaid,

  // Checks, and what the treasurer does
  'checkout-not-closed': m.failCheckoutNotClosed,
  'checkout-processing': m.failCheckoutProcessing,
  'payment-not-found': m.failPaymentNotFound,
  'refund-unavailable': m.failRefundUnavailable,
  'refund-disputed': m.failRefundDisputed,
  'refund-changed': m.failRefundChanged,
  'refund-refused': m.failRefundRefused,
  'pledge-not-found': m.failPledgeNotFound,
  'pledge-received': m.failPledgeReceived,
  'pledge-not-received': m.failPledgeNotReceived,
  'pledge-withdrawn': m.failPledgeWithdrawn,
  'grant-not-found': m.failGrantNotFound,
  'grant-in-books': m.failGrantInBooks,
  'grant-promised': m.failGrantPromised,
  'grant-not-promised': m.failGrantNotPromised,
  'grant-paid': m.failGrantPaid,
  'no-method-source': m.failNoMethodSource,
  'no-other-source': m.failNoOtherSource,
  'attention-not-found': m.failAttentionNotFound,
  'attention-settled': m.failAttentionSettled,
  'receipt-not-found': m.failReceiptNotFound,
  'payout-not-found': m.failPayoutNotFound,
  'month-not-found': m.failMonthNotFound,
  'receipt-without-address': m.failReceiptWithoutAddress,

  // Recurring gifts
  'gift-not-found': m.failGiftNotFound,
  'gift-ended': m.giftHasEnded,
  'gift-past-due': m.failGiftPastDue,
  'gift-raise-needs-login': m.failGiftRaiseLogin,
  'gift-not-stopped': m.failGiftNotStopped,
  'gift-not-changed': m.failGiftNotChanged,

  // Profiles and photos
  'story-refunded': m.failStoryRefunded,
  'story-not-to-be-shown': m.failStoryNotToBeShown,
  'photo-unreadable': m.failPhotoUnreadable,
  'photo-not-kept': m.failPhotoNotKept,
  'photo-too-many-pixels': m.failPhotoTooManyPixels,
  'photo-too-long': m.failPhotoTooLong,

  // Organizations
  'slug-taken': m.failSlugTaken,
  'time-zone-unknown': m.failTimeZoneUnknown,
  'stats-moved': m.failStatsMoved,
  'factors-moved': m.failFactorsMoved,

  // Texts of the site
  'text-too-nested': m.failTextTooNested,
  'text-too-many-items': m.failTextTooManyItems,
  'text-too-many-marks': m.failTextTooManyMarks,
  'text-too-many-lines': m.failTextTooManyLines,
  'text-too-many-cells': m.failTextTooManyCells,
  'text-makes-too-much': m.failTextMakesTooMuch,
  'text-too-slow': m.failTextTooSlow,
  'story-changed': m.failStoryChanged,
  'text-changed': m.failTextChanged,

  // People
  'wrong-credentials': m.failWrongCredentials,
  'wrong-password': m.failWrongPassword,
  'code-invalid': m.failCodeInvalid,
  'proof-required': m.failProofRequired,
  'mail-proof-required': m.failMailProofRequired,
  'link-invalid': m.failLinkInvalid,
  'link-other-address': m.failLinkOtherAddress,
  'second-step-over': m.secondStepOver,
  'wrong-code': m.failWrongCode,
  'wrong-recovery-code': m.failWrongRecoveryCode,
  'passkey-refused': m.failPasskeyRefused,
  'passkey-known': m.failPasskeyKnown,
  'passkey-not-found': m.failPasskeyNotFound,
  'too-many-passkeys': m.failTooManyPasskeys,
  'authenticator-known': m.failAuthenticatorKnown,
  'offer-over': m.failOfferOver,
  'second-factor-needed': m.failSecondFactorNeeded,
  'email-unverified': m.failEmailUnverified,
  'google-unavailable': m.failGoogleUnavailable,
  'google-unproven': m.failGoogleUnproven,
  'session-not-found': m.failSessionNotFound,
  'user-not-found': m.failUserNotFound,
  'editor-not-found': m.failEditorNotFound,
  'already-editor': m.failAlreadyEditor,
  'invitation-not-found': m.failInvitationNotFound,
  'last-editor': m.failLastEditor,
  'editor-too-new': m.failEditorTooNew,
  'gifts-not-stopped': m.failGiftsNotStopped,
  'last-admin': m.failLastAdmin,

  // Calls
  'out-of-order': m.failOutOfOrder,
  'too-busy': m.failTooBusy,
  'invalid-input': m.failInvalidInput,
  'unknown-cursor': m.failUnknownCursor,
  'org-not-found': m.failOrgNotFound,
  'checkout-not-found': m.failCheckoutNotFound,
  'offsetter-not-found': m.failOffsetterNotFound,
  'awardee-has-grant': m.failAwardeeHasGrant,
  'awardee-not-found': m.failAwardeeNotFound,
  'installer-not-found': m.failInstallerNotFound,
  'call-not-found': m.failCallNotFound,
  'page-not-found': m.failPageNotFound,
  'method-not-allowed': m.failMethodNotAllowed,
  'body-too-large': m.failBodyTooLarge,
  'headers-too-large': m.failHeadersTooLarge,
  'request-timeout': m.failRequestTimeout,
  'unsupported-media-type': m.failUnsupportedMediaType,
  'missing-requested-with': m.failMissingRequestedWith,
  'login-required': m.failLoginRequired,
  'token-invalid': m.failTokenInvalid,
  'token-stale': m.failTokenStale,
  'too-many-requests': m.failTooManyRequests,
  'webhook-signature': m.failWebhookSignature,
  'search-too-short': m.failSearchTooShort,
  'search-without-letters': m.failSearchWithoutLetters,
  'search-too-long': m.failSearchTooLong,
} as const satisfies Record<string, Sentence>;

/**
 * Sentences for all failures. test/support/specified-failures.ts lists the specification's own strings (§5, §8).
 */
export const FAILURES: Readonly<Record<FailureCode, Sentence>> = {
  ...SENTENCES,
  ...FORM_SENTENCES,
  ...REFUSALS,
};

/** Strings of §8 that can't occur: paths and types ensure what they require, and there are no funders. */
export const UNREACHABLE: readonly FailureCode[] = [
  'no-usid',
  'no-org-id',
  'no-installer-id',
  'no-funder-id',
  'no-donate-amount-field',
  'no-page-id',
  'no-cell-name',
];

/** User-facing message for a failure. */
export function failureSentence({ code, details }: Pick<Failure, 'code' | 'details'>, options?: InLanguage): string {
  return filledSentence(FAILURES[code], details, options);
}

/** @param seconds whole seconds, at least 1, until another attempt is allowed */
export function tooManyRequests(seconds: number): Failure {
  return new Failure('too-many-requests', { seconds, wait: waitText(seconds) });
}

/** @param seconds whole seconds, at least 1, until cards are accepted again */
export function cardsDeclined(seconds: number): Failure {
  return new Failure('cards-declined', { seconds, wait: waitText(seconds) });
}

/** "1 second", "40 seconds", "12 minutes": rounded up. */
function waitText(seconds: number): Words {
  return seconds > 90
    ? (options) => m.waitMinutes({ count: Math.ceil(seconds / 60) }, options)
    : (options) => m.waitSeconds({ count: seconds }, options);
}
