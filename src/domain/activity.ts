import { type InLanguage, m } from '#messages';
import { dayOf, dayText, type TimeZone } from './days.ts';
import type { GrantField } from './grant.ts';
import { formatCents, formatPounds, STORED_DECIMALS, toPounds } from './money.ts';
import { type Action, ROLE_TEXTS, ROLES } from './permissions.ts';

/** Recorded activities (decisions §4) and their sentences. */
const SENTENCES = {
  'role.added': m.didRoleAdded,
  'role.changed': m.didRoleChanged,
  'role.removed': m.didRoleRemoved,
  'invitation.added': m.didInvitationAdded,
  'invitation.removed': m.didInvitationRemoved,
  'invitation.done': m.didInvitationDone,
  'account.changed': m.didAccountChanged,
  'account.removed': m.didAccountRemoved,
  'password.added': m.didPasswordAdded,
  'password.changed': m.didPasswordChanged,
  'passkey.added': m.didPasskeyAdded,
  'passkey.removed': m.didPasskeyRemoved,
  'authenticator.added': m.didAuthenticatorAdded,
  'authenticator.removed': m.didAuthenticatorRemoved,
  'recovery-codes.added': m.didRecoveryCodesAdded,
  'recovery-codes.changed': m.didRecoveryCodesChanged,
  'recovery-codes.removed': m.didRecoveryCodesRemoved,
  'second-step.changed': m.didSecondStepChanged,
  'login.added': m.didLoginAdded,
  'login.removed': m.didLoginRemoved,
  'login-failed.done': m.didLoginFailedDone,
  'settings.added': m.didSettingsAdded,
  'settings.changed': m.didSettingsChanged,
  'adjustment.added': m.didAdjustmentAdded,
  'numbers.added': m.didNumbersAdded,
  'text.added': m.didTextAdded,
  'offsetter.added': m.didOffsetterAdded,
  'offsetter.changed': m.didOffsetterChanged,
  'offsetter.removed': m.didOffsetterRemoved,
  'claim.done': m.didClaimDone,
  'awardee.added': m.didAwardeeAdded,
  'awardee.changed': m.didAwardeeChanged,
  'awardee.removed': m.didAwardeeRemoved,
  'installer.added': m.didInstallerAdded,
  'installer.changed': m.didInstallerChanged,
  'installer.removed': m.didInstallerRemoved,
  'check.added': m.didCheckAdded,
  'check.changed': m.didCheckChanged,
  'grant.added': m.didGrantAdded,
  'grant.changed': m.didGrantChanged,
  'grant.removed': m.didGrantRemoved,
  'return.added': m.didReturnAdded,
  'return.changed': m.didReturnChanged,
  'receipt.changed': m.didReceiptChanged,
  'card.changed': m.didCardChanged,
  'checkout.changed': m.didCheckoutChanged,
  'gift.changed': m.didGiftChanged,
  'gift.done': m.didGiftDone,
  'attention.changed': m.didAttentionChanged,
  'donor.changed': m.didDonorChanged,
  'deposit.added': m.didDepositAdded,
  'deposit.removed': m.didDepositRemoved,
  'month.added': m.didMonthAdded,
  'month-reopening.added': m.didMonthReopeningAdded,
  'export.done': m.didExportDone,
  'donors.done': m.didDonorsDone,
  // Recorded by a newer version that runs alongside this one during an upgrade.
  unknown: m.didUnknown,
} as const;

export type ActivityName = keyof typeof SENTENCES;
export const ACTIVITY_NAMES = Object.keys(SENTENCES) as readonly ActivityName[];

/** Sentences with a placeholder for the changed object. */
const SENTENCES_WITH_PLACEHOLDER = {
  'text.added': m.didTextAddedTo,
  'month.added': m.didMonthAddedTo,
  'month-reopening.added': m.didMonthReopeningAddedTo,
} as const satisfies Partial<Record<ActivityName, unknown>>;

/** @param objectName the changed object, such as the title of a cell; null if unknown */
export function activitySentence(name: ActivityName, objectName: string | null, options?: InLanguage): string {
  if (objectName === null) return SENTENCES[name]({}, options);
  if (name in SENTENCES_WITH_PLACEHOLDER)
    return SENTENCES_WITH_PLACEHOLDER[name as keyof typeof SENTENCES_WITH_PLACEHOLDER]({ object: objectName }, options);
  return `${SENTENCES[name]({}, options)}: ${objectName}`;
}

/**
 * Permission required to see each kind of activity, so that the record reveals no more than the pages do. All other
 * kinds require `editors.manage`.
 */
const KIND_PERMISSIONS: Readonly<Record<string, Action>> = {
  text: 'cells.edit',
  offsetter: 'stories.edit',
  claim: 'stories.edit',
  awardee: 'stories.edit',
  installer: 'stories.edit',
  check: 'checks.read',
  grant: 'grants.read',
  return: 'checkouts.read',
  checkout: 'checkouts.read',
  receipt: 'receipts.read',
  card: 'checkouts.read',
  gift: 'checkouts.read',
  attention: 'checkouts.read',
  donor: 'donors.read',
  deposit: 'books.read',
  month: 'books.read',
  'month-reopening': 'books.read',
  export: 'ledger.download',
};

/** Activity kinds included in each filter of the record. */
const SUBJECT_KINDS = {
  gifts: ['check', 'checkout', 'return', 'receipt', 'card', 'gift', 'attention', 'adjustment'],
  donors: ['donor', 'donors', 'export'],
  grants: ['grant'],
  bank: ['deposit', 'month', 'month-reopening'],
  stories: ['offsetter', 'claim', 'awardee', 'installer'],
  pages: ['text'],
  settings: ['settings', 'numbers'],
  team: ['role', 'invitation'],
  accounts: [
    'account',
    'password',
    'passkey',
    'authenticator',
    'recovery-codes',
    'second-step',
    'login',
    'login-failed',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ActivitySubject = keyof typeof SUBJECT_KINDS;
export const ACTIVITY_SUBJECTS = Object.keys(SUBJECT_KINDS) as readonly ActivitySubject[];

export function getSubjectKinds(subject: ActivitySubject): readonly string[] {
  return SUBJECT_KINDS[subject];
}

/** @returns undefined if all kinds are visible */
export function getVisibleActivityKinds(isAllowed: (action: Action) => boolean): readonly string[] | undefined {
  if (isAllowed('editors.manage')) return undefined;
  return Object.entries(KIND_PERMISSIONS).flatMap(([kind, action]) => (isAllowed(action) ? [kind] : []));
}

const COLUMN_LABELS: Readonly<Record<string, (inputs: Record<string, never>, options?: InLanguage) => string>> = {
  role: m.changedRole,
  email: m.email,
  card_email: m.email,
  alternate_email: m.email,
  corrected_email: m.email,
  postal_address: m.changedPostalAddress,
  merged_into_id: m.changedJoined,
  email_verified: m.changedEmailVerified,
  admin: m.changedAdmin,
  name: m.name,
  display_name: m.name,
  slug: m.changedSlug,
  tag: m.changedTag,
  photo: m.changedPhoto,
  no_awardees: m.changedNoAwardees,
  takes_applications: m.changedTakesApplications,
  editors_need_second_factor: m.changedEditorsNeedSecondFactor,
  second_factor_removal_at: m.changedLeavesAt,
  review_stories: m.changedReviewStories,
  time_zone: m.changedTimeZone,
  place: m.changedPlace,
  typical_grant_cents: m.changedTypicalGrant,
  version: m.changedVersion,
  summary: m.changedWhat,
  currency: m.changedCurrency,
  delta_carbon: m.changedDeltaCarbon,
  delta_gas: m.changedDeltaGas,
  delta_cents: m.changedDeltaCents,
  delta_grants: m.changedDeltaGrants,
  carbon: m.changedDeltaCarbon,
  gas: m.changedDeltaGas,
  grants: m.changedDeltaGrants,
  text: m.changedText,
  is_default: m.changedIsDefault,
  story: m.changedStory,
  status: m.changedStatus,
  shown_as: m.changedShownAs,
  shows_pounds: m.changedShowsPounds,
  shows_homes: m.changedShowsHomes,
  hidden_by_refund: m.changedHiddenByRefund,
  consented_at: m.changedConsentedAt,
  consent_revoked_at: m.changedConsentRevokedAt,
  bounced: m.changedBounced,
  amount_cents: m.changedAmountCents,
  received_cents: m.changedReceivedCents,
  check_number: m.changedCheckNumber,
  reversal_reason: m.changedReversalReason,
  other_funding_cents: m.changedOtherCents,
  claims_full_savings: m.changedClaimsAll,
  installer: m.changedInstaller,
  yearly_carbon: m.changedYearlyCarbon,
  years: m.changedYears,
  method: m.changedMethod,
  published_fields: m.changedPublishedFields,
  applied_on: m.changedAppliedOn,
  promised_on: m.changedPromisedOn,
  paid_on: m.changedPaidOn,
  paid_cents: m.changedPaidCents,
  done_on: m.changedDoneOn,
  inspected_on: m.changedInspectedOn,
  kind: m.changedKind,
  month: m.changedMonth,
  deposited_on: m.changedDepositedOn,
  reason: m.changedReason,
  correction_reason: m.changedReason,
  merge_reason: m.changedReason,
  deleted_at: m.changedDeletedAt,
  interval_unit: m.changedUnit,
  interval_count: m.changedCount,
  canceled_at: m.changedCanceledAt,
  resolved_at: m.changedResolvedAt,
  note: m.changedNote,
  file: m.changedFile,
  answer: m.changedAnswer,
  request: m.changedRequest,
};

export type ActivityChange = { readonly label: string; readonly before: string; readonly after: string };

type Values = Readonly<Record<string, unknown>>;

/** Lists changes in column order, with '' for missing values. Days are in the given time zone. */
export function listActivityChanges(
  before: Values,
  after: Values,
  zone: TimeZone,
  options?: InLanguage,
): ActivityChange[] {
  const changedColumns = Object.entries(COLUMN_LABELS).filter(([column]) => column in before || column in after);
  const changes = changedColumns.map(([column, label]) => ({
    label: label({}, options),
    before: formatValue(column, before[column], zone, options),
    after: formatValue(column, after[column], zone, options),
  }));
  // Skip empty values of a new item.
  const emptyTexts = ['', m.no({}, options)];
  return changes.filter((change) => change.before !== '' || !emptyTexts.includes(change.after));
}

/** Labels for stored codes. */
const CODE_LABELS: Readonly<Record<string, Readonly<Record<string, (typeof COLUMN_LABELS)[string]>>>> = {
  method: { audit: m.changedToAudit, model: m.changedToModel, deemed: m.changedToDeemed },
  status: {
    draft: m.changedToDraft,
    published: m.changedToPublished,
    hidden: m.changedToHidden,
    pledged: m.changedToPledged,
    received: m.changedToReceived,
    withdrawn: m.changedToWithdrawn,
    pending: m.changedToPending,
    succeeded: m.changedToSucceeded,
    failed: m.changedToFailed,
    open: m.changedToOpen,
    won: m.changedToWon,
    lost: m.changedToLost,
  },
  kind: { refund: m.changedToRefund, dispute: m.changedToDispute },
  published_fields: {
    amount: m.changedToAmount,
    measures: m.changedToMeasures,
    installer: m.changedToInstaller,
    savings: m.changedToSavings,
    dates: m.changedToDates,
  } satisfies Readonly<Record<GrantField, unknown>>,
  shown_as: { full: m.changedToFullName, first: m.changedToFirstName, none: m.changedToNobody },
  interval_unit: { month: m.changedToMonth, year: m.changedToYear },
};

/** Columns stored in ten-thousandths. */
const UNIT_FORMATS: Readonly<Record<string, (inputs: { amount: string }, options?: InLanguage) => string>> = {
  yearly_carbon: m.changedToPounds,
  delta_carbon: m.changedToPounds,
  delta_gas: m.changedToGallons,
  carbon: m.changedToPounds,
  gas: m.changedToGallons,
};

function formatValue(column: string, value: unknown, zone: TimeZone, options?: InLanguage): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => formatValue(column, item, zone, options)).join(', ');
  if (typeof value === 'boolean') return value ? m.yes({}, options) : m.no({}, options);
  if (column.endsWith('_cents') && typeof value === 'number') return formatCents(value);
  if (column.endsWith('_at') && typeof value === 'string') return dayText(dayOf(new Date(value), zone), options);
  if (column.endsWith('_on') && typeof value === 'string') return dayText(value, options);
  // The value is the id of another donor, who may have since been erased.
  if (column === 'merged_into_id') return m.yes({}, options);
  if (column === 'role') {
    const role = ROLES.find((candidate) => candidate === value);
    if (role) return ROLE_TEXTS[role].label;
  }
  if (typeof value === 'object') return m.changedToPicture({}, options);
  const unit = UNIT_FORMATS[column];
  if (unit && typeof value === 'number') return unit({ amount: formatAmount(toPounds(value)) }, options);
  const codeLabel = typeof value === 'string' ? CODE_LABELS[column]?.[value] : undefined;
  if (codeLabel) return codeLabel({}, options);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** "651" or "0.2515": no decimals for whole numbers. */
function formatAmount(amount: number): string {
  return formatPounds(amount, Number.isInteger(amount) ? 0 : STORED_DECIMALS);
}
