import { type InLanguage, m } from '#messages';
import { CART_FAILURES } from './cart-failures.ts';
import {
  Failure,
  type FailureCode,
  type FailureDefinition,
  fillSentence,
  type LocalizedText,
  PAGE_FAILURES,
} from './failures.ts';
import { FORM_FAILURES } from './form-failures.ts';
import { PROFILE_FAILURES } from './profile-failures.ts';
import { TRIBUTE_FAILURES } from './tribute-failures.ts';

/** Failures that only the server reports. Pages show their sentences as received. */
export const SERVER_FAILURES = {
  // Missing parts of a request (§8, thrown plain strings)
  'no-data': { status: 400, sentence: m.failNoData },
  'no-checkout-id': { status: 422, sentence: m.failNoCheckoutId },
  'no-cell': { status: 404, sentence: m.failNoCell },
  'no-event': { status: 404, sentence: m.failNoEvent },
  'only-admins': { status: 403, sentence: m.failOnlyAdmins },
  'no-file': { status: 422, sentence: m.failNoFile },

  // Cart items that no page submits
  'unexpected-offset-type': { status: 422, sentence: m.failUnexpectedOffsetType },
  'unexpected-item-type': { status: 422, sentence: m.failUnexpectedItemType },
  'yearly-interval': { status: 422, sentence: m.failYearlyInterval },
  'cost-mismatch': { status: 422, sentence: m.failCostMismatch },
  'carbon-missing': { status: 422, sentence: m.failCarbonMissing },
  'carbon-on-donation': { status: 422, sentence: m.failCarbonOnDonation },
  'donation-not-whole-dollars': { status: 422, sentence: m.failDonationNotWholeDollars },
  'interval-out-of-range': { status: 422, sentence: m.failIntervalOutOfRange },
  'interval-without-recurrence': { status: 422, sentence: m.failIntervalWithoutRecurrence },

  // The cart and the checkout
  'checkout-not-paid': { status: 409, sentence: m.failCheckoutNotPaid },
  'checkout-over': { status: 409, sentence: m.failCheckoutOver },
  'card-fee-not-offered': { status: 422, sentence: m.failCardFeeNotOffered },
  'total-changed': { status: 422, sentence: m.failTotalChanged },
  'cards-declined': { status: 429, sentence: m.failCardsDeclined },
  'challenge-needed': { status: 403, sentence: m.failChallengeNeeded, details: ['siteKey', 'origin'] },
  'payment-unavailable': { status: 503, sentence: m.failPaymentUnavailable },
  'clock-wrong': { status: 503, sentence: m.failClockWrong },

  // Gifts in honor or in memory of someone
  ...TRIBUTE_FAILURES,
  'text-with-address': { status: 422, sentence: m.failTextWithAddress },
  'text-like-address': { status: 422, sentence: m.failTextLikeAddress },
  'card-not-found': { status: 404, sentence: m.failCardNotFound },
  'card-not-paid': { status: 409, sentence: m.failCardNotPaid },

  // Checks and the treasurer's work
  'checkout-not-closed': { status: 503, sentence: m.failCheckoutNotClosed },
  'checkout-processing': { status: 409, sentence: m.failCheckoutProcessing },
  'payment-not-found': { status: 404, sentence: m.failPaymentNotFound },
  'refund-unavailable': { status: 503, sentence: m.failRefundUnavailable },
  'refund-disputed': { status: 409, sentence: m.failRefundDisputed },
  'refund-changed': { status: 409, sentence: m.failRefundChanged },
  'refund-rejected': { status: 409, sentence: m.failRefundRejected },
  'refund-of-sample': { status: 409, sentence: m.failRefundOfSample },
  'note-not-found': { status: 404, sentence: m.failNoteNotFound },
  'note-subject-not-found': { status: 404, sentence: m.failNoteSubjectNotFound },
  'pledge-not-found': { status: 404, sentence: m.failPledgeNotFound },
  'check-recorded': { status: 409, sentence: m.failCheckRecorded },
  'pledge-recorded': { status: 409, sentence: m.failPledgeRecorded },
  'pledge-received': { status: 409, sentence: m.failPledgeReceived },
  'pledge-not-received': { status: 409, sentence: m.failPledgeNotReceived },
  'pledge-withdrawn': { status: 409, sentence: m.failPledgeWithdrawn },
  'grant-not-found': { status: 404, sentence: m.failGrantNotFound },
  'grant-changed': { status: 409, sentence: m.failGrantChanged },
  'grant-in-books': { status: 409, sentence: m.failGrantInBooks },
  'grant-promised': { status: 409, sentence: m.failGrantPromised },
  'grant-not-promised': { status: 409, sentence: m.failGrantNotPromised },
  'grant-paid': { status: 409, sentence: m.failGrantPaid },
  'no-saving': { status: 422, sentence: m.failNoSaving },
  'no-method-source': { status: 422, sentence: m.failNoMethodSource },
  'no-other-source': { status: 422, sentence: m.failNoOtherSource },
  'attention-not-found': { status: 404, sentence: m.failAttentionNotFound },
  'attention-resolved': { status: 409, sentence: m.failAttentionResolved },
  'receipt-not-found': { status: 404, sentence: m.failReceiptNotFound },
  'donor-not-found': { status: 404, sentence: m.failDonorNotFound },
  'donor-merged': { status: 409, sentence: m.failDonorMerged },
  'no-donors': { status: 404, sentence: m.failNoDonors },
  'payout-not-found': { status: 404, sentence: m.failPayoutNotFound },
  'deposit-not-found': { status: 404, sentence: m.failDepositNotFound },
  'deposit-recorded': { status: 409, sentence: m.failDepositRecorded },
  'deposit-bounced': { status: 409, sentence: m.failDepositBounced },
  'check-in-deposit': { status: 409, sentence: m.failCheckInDeposit },
  'check-deposited': { status: 409, sentence: m.failCheckDeposited },
  'deposit-before-check': { status: 422, sentence: m.failDepositBeforeCheck },
  'month-closed': { status: 409, sentence: m.failMonthClosed },
  'month-not-ready': { status: 409, sentence: m.failMonthNotReady },
  'month-not-last': { status: 409, sentence: m.failMonthNotLast },
  'month-not-found': { status: 404, sentence: m.failMonthNotFound },
  'receipt-without-address': { status: 409, sentence: m.failReceiptWithoutAddress },

  // Recurring gifts
  'gift-not-found': { status: 404, sentence: m.failGiftNotFound },
  'gift-ended': { status: 409, sentence: m.giftHasEnded },
  'gift-past-due': { status: 409, sentence: m.failGiftPastDue },
  'gift-raise-needs-login': { status: 403, sentence: m.failGiftRaiseLogin },
  'gift-not-stopped': { status: 503, sentence: m.failGiftNotStopped },
  'gift-not-changed': { status: 503, sentence: m.failGiftNotChanged },

  // Profiles and photos
  'story-refunded': { status: 422, sentence: m.failStoryRefunded },
  'story-not-to-be-shown': { status: 422, sentence: m.failStoryNotToBeShown },
  'photo-unreadable': { status: 422, sentence: m.failPhotoUnreadable },
  'photo-not-stored': { status: 503, sentence: m.failPhotoNotKept },
  'photo-too-many-pixels': { status: 422, sentence: m.failPhotoTooManyPixels },
  'photo-too-long': { status: 422, sentence: m.failPhotoTooLong },

  // Organizations
  'slug-taken': { status: 409, sentence: m.failSlugTaken },
  'time-zone-unknown': { status: 422, sentence: m.failTimeZoneUnknown },
  'time-zone-in-books': { status: 409, sentence: m.failTimeZoneInBooks },
  'settings-changed': { status: 409, sentence: m.failSettingsChanged, details: ['savedBy', 'isSavedByCaller'] },
  'stats-changed': { status: 409, sentence: m.failStatsMoved },
  'factors-changed': { status: 409, sentence: m.failFactorsMoved },

  // Site texts
  'text-too-nested': { status: 422, sentence: m.failTextTooNested },
  'text-too-many-items': { status: 422, sentence: m.failTextTooManyItems },
  'text-too-many-marks': { status: 422, sentence: m.failTextTooManyMarks },
  'text-too-many-lines': { status: 422, sentence: m.failTextTooManyLines },
  'text-too-many-cells': { status: 422, sentence: m.failTextTooManyCells },
  'html-too-long': { status: 422, sentence: m.failTextMakesTooMuch },
  'text-not-rendered': { status: 422, sentence: m.failTextTooSlow },
  'story-changed': { status: 409, sentence: m.failStoryChanged, details: ['name', 'story', 'isSavedByCaller'] },
  'text-changed': {
    status: 409,
    sentence: m.failTextChanged,
    details: ['savedBy', 'isSavedByCaller', 'savedTimestamp', 'markdown'],
  },

  // People
  'wrong-credentials': { status: 401, sentence: m.failWrongCredentials },
  'wrong-password': { status: 422, sentence: m.failWrongPassword },
  'code-invalid': { status: 422, sentence: m.failCodeInvalid },
  'confirmation-required': { status: 401, sentence: m.failConfirmationRequired },
  'email-confirmation-required': { status: 401, sentence: m.failEmailConfirmationRequired },
  'link-invalid': { status: 422, sentence: m.failLinkInvalid },
  'link-other-address': { status: 422, sentence: m.failLinkOtherAddress },
  'second-step-over': { status: 401, sentence: m.secondStepOver },
  'wrong-code': { status: 401, sentence: m.failWrongCode },
  'wrong-recovery-code': { status: 401, sentence: m.failWrongRecoveryCode },
  'passkey-rejected': { status: 401, sentence: m.failPasskeyRejected },
  'passkey-known': { status: 409, sentence: m.failPasskeyKnown },
  'passkey-not-found': { status: 404, sentence: m.failPasskeyNotFound },
  'too-many-passkeys': { status: 409, sentence: m.failTooManyPasskeys },
  'authenticator-known': { status: 409, sentence: m.failAuthenticatorKnown },
  'offer-over': { status: 422, sentence: m.failOfferOver },
  'second-factor-needed': { status: 403, sentence: m.failSecondFactorNeeded },
  'email-unverified': { status: 403, sentence: m.failEmailUnverified },
  'google-unavailable': { status: 503, sentence: m.failGoogleUnavailable },
  'google-unconfirmed': { status: 422, sentence: m.failGoogleUnconfirmed },
  'session-not-found': { status: 404, sentence: m.failSessionNotFound },
  'user-not-found': { status: 404, sentence: m.failUserNotFound },
  'editor-not-found': { status: 404, sentence: m.failEditorNotFound },
  'already-editor': { status: 409, sentence: m.failAlreadyEditor },
  'invitation-not-found': { status: 404, sentence: m.failInvitationNotFound },
  'last-editor': { status: 409, sentence: m.failLastEditor },
  'editor-too-new': { status: 409, sentence: m.failEditorTooNew },
  'gifts-not-stopped': { status: 503, sentence: m.failGiftsNotStopped },
  'last-admin': { status: 409, sentence: m.failLastAdmin },

  // API calls
  'database-unavailable': { status: 503, sentence: m.failOutOfOrder },
  'too-busy': { status: 503, sentence: m.failTooBusy },
  'invalid-input': { status: 400, sentence: m.failInvalidInput },
  'unknown-cursor': { status: 400, sentence: m.failUnknownCursor },
  'org-not-found': { status: 404, sentence: m.failOrgNotFound },
  'checkout-not-found': { status: 404, sentence: m.failCheckoutNotFound },
  'offsetter-not-found': { status: 404, sentence: m.failOffsetterNotFound },
  'awardee-has-grant': { status: 409, sentence: m.failAwardeeHasGrant },
  'awardee-not-found': { status: 404, sentence: m.failAwardeeNotFound },
  'installer-not-found': { status: 404, sentence: m.failInstallerNotFound },
  'call-not-found': { status: 404, sentence: m.failCallNotFound },
  'page-not-found': { status: 404, sentence: m.failPageNotFound },
  'method-not-allowed': { status: 405, sentence: m.failMethodNotAllowed },
  'body-too-large': { status: 413, sentence: m.failBodyTooLarge },
  'headers-too-large': { status: 431, sentence: m.failHeadersTooLarge },
  'request-timeout': { status: 408, sentence: m.failRequestTimeout },
  'unsupported-media-type': { status: 415, sentence: m.failUnsupportedMediaType },
  'missing-requested-with': { status: 400, sentence: m.failMissingRequestedWith },
  'login-required': { status: 401, sentence: m.failLoginRequired },
  'token-invalid': { status: 401, sentence: m.failTokenInvalid },
  'token-stale': { status: 401, sentence: m.failTokenStale },
  'too-many-requests': { status: 429, sentence: m.failTooManyRequests },
  'webhook-signature': { status: 400, sentence: m.failWebhookSignature },
  'webhook-time': { status: 400, sentence: m.failWebhookTime },
  'search-too-short': { status: 422, sentence: m.failSearchTooShort },
  'search-without-letters': { status: 422, sentence: m.failSearchWithoutLetters },
  'search-too-long': { status: 422, sentence: m.failSearchTooLong },
} as const satisfies Record<string, FailureDefinition>;

/** All failures. test/support/specified-failures.ts lists the specification's own strings (§5, §8). */
export const FAILURES: Readonly<Record<FailureCode, FailureDefinition>> = {
  ...PAGE_FAILURES,
  ...CART_FAILURES,
  ...PROFILE_FAILURES,
  ...FORM_FAILURES,
  ...SERVER_FAILURES,
};

/** User-facing message for a failure. */
export function failureSentence({ code, details }: Pick<Failure, 'code' | 'details'>, options?: InLanguage): string {
  return fillSentence(FAILURES[code].sentence, details, options);
}

/** @param seconds whole seconds, at least 1, until another attempt is allowed */
export function tooManyRequests(seconds: number): Failure {
  return new Failure('too-many-requests', { seconds, wait: formatWait(seconds) });
}

/** @param seconds whole seconds, at least 1, until cards are accepted again */
export function cardsDeclined(seconds: number): Failure {
  return new Failure('cards-declined', { seconds, wait: formatWait(seconds) });
}

/** "1 second", "40 seconds", "12 minutes": rounded up. */
function formatWait(seconds: number): LocalizedText {
  return seconds > 90
    ? (options) => m.waitMinutes({ count: Math.ceil(seconds / 60) }, options)
    : (options) => m.waitSeconds({ count: seconds }, options);
}
