import { dayOf, dayText, type TimeZone } from './days.ts';
import { formatCents } from './money.ts';
import { type Action, ROLE_TEXTS, ROLES } from './permissions.ts';

/** What is recorded (decisions §4), with what is said of each. */
const SENTENCES = {
  'role.added': 'Gave someone a role',
  'role.changed': 'Changed someone’s role',
  'role.removed': 'Took a role away',
  'invitation.added': 'Invited someone',
  'invitation.removed': 'An invitation was accepted, was withdrawn or ran out',
  'account.changed': 'Changed an account',
  'account.removed': 'Deleted an account',
  'password.added': 'Added a way to log in',
  'password.changed': 'Changed a password',
  'passkey.added': 'Added a passkey',
  'passkey.removed': 'Removed a passkey',
  'authenticator.added': 'Added an authenticator app',
  'authenticator.removed': 'Removed an authenticator app',
  'recovery-codes.added': 'Got recovery codes',
  'recovery-codes.changed': 'Used or renewed recovery codes',
  'recovery-codes.removed': 'Recovery codes ended',
  'second-step.changed': 'The removal of a second step was asked for, or called off',
  'login.added': 'Logged in',
  'login.removed': 'Logged out, or was logged out',
  'login-failed.done': 'Tried to log in with a wrong password',
  'settings.added': 'Created the organization',
  'settings.changed': 'Changed the settings',
  'text.added': 'Saved a text',
  'offsetter.added': 'Sent an offsetter’s story',
  'offsetter.changed': 'Changed an offsetter’s story',
  'offsetter.removed': 'Deleted an offsetter’s story',
  'claim.done': 'Said whose a story is',
  'awardee.added': 'Added an awardee',
  'awardee.changed': 'Changed an awardee',
  'awardee.removed': 'Deleted an awardee',
  'installer.added': 'Added an installer',
  'installer.changed': 'Changed an installer',
  'installer.removed': 'Deleted an installer',
  'check.added': 'A check was pledged or recorded',
  'check.changed': 'Changed a check',
  'return.added': 'Money of a gift goes back',
  'return.changed': 'A refund or dispute moved on',
  'receipt.changed': 'Mailed a receipt to another address',
  'card.changed': 'Mailed a card to another address',
  'checkout.changed': 'Deleted a checkout’s record',
  'gift.changed': 'Changed or stopped a recurring gift',
  'attention.changed': 'Settled a payment that needed attention',
  'export.done': 'Downloaded a file',
  // Recorded by a newer version, which runs beside this one while it is rolled out.
  unknown: 'Something that this version doesn’t know',
} as const;

export type ActivityName = keyof typeof SENTENCES;
export const ACTIVITY_NAMES = Object.keys(SENTENCES) as readonly ActivityName[];

export function activitySentence(name: ActivityName): string {
  return SENTENCES[name];
}

/**
 * What a role must be allowed to do to see each kind of activity of its organization: the record shows it no more than its
 * pages do. All other kinds are for those who manage the roles.
 */
const KINDS: Readonly<Record<string, Action>> = {
  text: 'cells.edit',
  offsetter: 'stories.edit',
  claim: 'stories.edit',
  awardee: 'stories.edit',
  installer: 'stories.edit',
  check: 'checks.read',
  return: 'checkouts.read',
  checkout: 'checkouts.read',
  receipt: 'receipts.read',
  card: 'checkouts.read',
  gift: 'checkouts.read',
  attention: 'checkouts.read',
  export: 'ledger.download',
};

/** undefined: all. */
export function activityKinds(may: (action: Action) => boolean): readonly string[] | undefined {
  if (may('editors.manage')) return undefined;
  return Object.entries(KINDS).flatMap(([kind, action]) => (may(action) ? [kind] : []));
}

const LABELS: Readonly<Record<string, string>> = {
  role: 'Role',
  leaves_at: 'Ends',
  becomes: 'Then',
  email: 'Email',
  card_email: 'Email',
  email_verified: 'Email verified',
  admin: 'Admin',
  name: 'Name',
  slug: 'Short address',
  tag: 'Tagline',
  photo: 'Picture',
  no_awardees: 'No awardees yet',
  editors_need_second_factor: 'Editors need a second step',
  second_factor_ends_at: 'Ends',
  review_stories: 'Review stories first',
  time_zone: 'Time zone',
  place: 'Place',
  currency: 'Currency',
  delta_carbon: 'Correction of the carbon',
  delta_gas: 'Correction of the gas',
  delta_cents: 'Correction of the money',
  delta_grants: 'Correction of the grants',
  page: 'Page',
  is_default: 'Back to the default text',
  story: 'Story',
  status: 'Status',
  shown_as: 'Shown as',
  shows_pounds: 'Pounds shown',
  hidden_by_refund: 'Hidden by a refund',
  consented_at: 'Consent given',
  consent_revoked_at: 'Consent withdrawn',
  bounced: 'Came back unpaid',
  amount_cents: 'Amount',
  received_cents: 'Received',
  check_number: 'Check number',
  reversal_reason: 'Why it was reversed',
  kind: 'Kind',
  reason: 'Reason',
  deleted_at: 'Deleted',
  unit: 'Repeats each',
  count: 'Every how many',
  canceled_at: 'Stopped',
  settled_at: 'Settled',
  note: 'Note',
  file: 'File',
  answer: 'Answer',
};

export type ActivityChange = { readonly label: string; readonly before: string; readonly after: string };

type Values = Readonly<Record<string, unknown>>;

/** What changed, in the order of the columns; '' where there was nothing. Days are those of the zone. */
export function activityChanges(before: Values, after: Values, zone: TimeZone): ActivityChange[] {
  const changed = Object.keys(LABELS).filter((column) => column in before || column in after);
  const changes = changed.map((column) => ({
    label: LABELS[column] ?? column,
    before: valueText(column, before[column], zone),
    after: valueText(column, after[column], zone),
  }));
  // Of something new, what it is not says nothing.
  return changes.filter((change) => change.before !== '' || change.after !== 'no');
}

function valueText(column: string, value: unknown, zone: TimeZone): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (column.endsWith('_cents') && typeof value === 'number') return formatCents(value);
  if (column.endsWith('_at') && typeof value === 'string') return dayText(dayOf(new Date(value), zone));
  if (column === 'role' || column === 'becomes') {
    const role = ROLES.find((each) => each === value);
    if (role) return ROLE_TEXTS[role].label;
  }
  if (typeof value === 'object') return 'a picture';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
