import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Account, LedgerKind } from '#domain/books.ts';
import type { CartItem, GiftInterval } from '#domain/cart.ts';
import type { PledgeStatus } from '#domain/check.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import type { Day } from '#domain/days.ts';
import type { ChosenSet } from '#domain/factor-sets.ts';
import type { GrantField, Measure, Method } from '#domain/grant.ts';
import type { ProofBy, Role } from '#domain/permissions.ts';
import type { ShownAs, StoryStatus } from '#domain/profile.ts';
import type { ReceiptDocument } from '#domain/receipt.ts';
import type { GiftStatus } from '#domain/recurring-gift.ts';
import type { CardStatus, TributeKind } from '#domain/tribute.ts';
import type { PayoutMovementKind } from '#server/gateways/payments/balance-facts.ts';
import type { SubjectKind } from '#server/gateways/payments/payments.ts';

/** A time that the database fills in if omitted. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;
/** Last change of public content, set by the database; null if unchanged. */
type ChangedAt = ColumnType<Date | null, never, never>;
/** int8 as a number: the connection rejects one that isn't exact. */
type Count = ColumnType<number, number | undefined, number>;

/** A stored picture: the folder of its files, and their description. */
export type StoredPhoto = {
  readonly key: string;
  readonly width: number;
  readonly height: number;
  /** Encoded widths in pixels, ascending. */
  readonly widths: readonly number[];
};
type PhotoColumn = JSONColumnType<StoredPhoto | null, string | null | undefined, string | null>;

/** Language for emails to a person; null for the default one (contract/languages). */
type StoredLanguage = string | null;

export type UsersTable = {
  id: string;
  email: string;
  email_verified: Generated<boolean>;
  display_name: Generated<string>;
  photo_url: string | null;
  admin: Generated<boolean>;
  is_anonymous: Generated<boolean>;
  /** When an admin's removal of the second step takes effect. */
  second_factor_ends_at: Generated<Date | null>;
  browser_marks_version: Generated<number>;
  language: StoredLanguage;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
};

export type OrgsTable = {
  id: string;
  slug: string;
  name: string;
  tag: string;
  photo: PhotoColumn;
  no_awardees: Generated<boolean>;
  review_stories: Generated<boolean>;
  editors_need_second_factor: Generated<boolean>;
  is_sample: Generated<boolean>;
  time_zone: Generated<string>;
  /** Empty if not set. */
  place: Generated<string>;
  /** Null if not set. */
  typical_grant_cents: Generated<number | null>;
  /** The last row of factor_sets; null for the default. */
  factors: JSONColumnType<ChosenSet | null, string | null | undefined, string>;
  currency: Generated<string>;
  delta_carbon: Count;
  delta_gas: Count;
  delta_cents: Count;
  delta_grants: Count;
  stats_updated_at: Generated<Date>;
  created_at: CreatedAt;
};

/** Slugs that an organization had before. */
export type FormerSlugsTable = { slug: string; org_id: string };

/** Every set of factors that an organization ever chose. */
export type FactorSetsTable = {
  org_id: string;
  /** From 1, in each organization. */
  number: number;
  version: string;
  factors: JSONColumnType<ChosenSet, string, never>;
  /** Text for the activity record. */
  what: string;
  why: string;
  created_at: CreatedAt;
};

/** Triggers raise the version with every change of public content. */
export type OrgVersionsTable = {
  org_id: string;
  version: number;
  changed_at: Date;
  /** When the ledger or the shown awardees last changed the stats. */
  stats_changed_at: Generated<Date | null>;
};

export type OrgEditorsTable = {
  org_id: string;
  user_id: string;
  display_name: string;
  role: ColumnType<Role, Role | undefined, Role>;
  created_at: Generated<Date>;
};

export type RemovedEditorsTable = {
  org_id: string;
  user_id: string;
  display_name: string;
  /** When the person became an editor. */
  created_at: Date;
  removed_at: Date;
};

export type CellsTable = {
  org_id: string;
  page: string;
  name: string;
  markdown: string;
  html: string;
  user_id: string | null;
  created_at: Generated<Date>;
};

/** Every save and reset of a text. The last one is shown. */
export type CellVersionsTable = {
  id: string;
  org_id: string;
  page: string;
  name: string;
  markdown: string;
  is_default: boolean;
  /** Null once the account is deleted, or if the author is unknown. */
  user_id: string | null;
  created_at: CreatedAt;
};

export type OffsettersTable = {
  id: string;
  org_id: string;
  user_id: string | null;
  checkout_id: string | null;
  email: string;
  name: string;
  story: string;
  photo: PhotoColumn;
  shown_as: Generated<ShownAs>;
  /** True if the story says how much its donor offset. */
  shows_pounds: Generated<boolean>;
  shows_homes: Generated<boolean>;
  status: Generated<StoryStatus>;
  hidden_by_refund: Generated<boolean>;
  /** `asked` once the owner of its address was asked about it; `refused` if it isn't theirs. */
  claim: Generated<'asked' | 'refused' | null>;
  /** Opens the photo while the story isn't shown. */
  photo_pass: Generated<string>;
  last_offset_at: Date | null;
  created_at: CreatedAt;
  changed_at: ChangedAt;
};

/** Awardees and installers. */
export type StoriesTable = {
  id: string;
  org_id: string;
  name: string;
  story: string;
  photo: PhotoColumn;
  status: Generated<StoryStatus>;
  /** Opens the photo while the story isn't shown. */
  photo_pass: Generated<string>;
  /** When the consent to publication was given; who recorded it last, and when it was revoked. */
  consented_at: Date | null;
  consent_recorded_by: string | null;
  consent_revoked_at: Date | null;
  created_at: CreatedAt;
  changed_at: ChangedAt;
};

export type CheckoutsTable = {
  id: string;
  org_id: string;
  cart: JSONColumnType<CartItem[], string, never>;
  total_cents: number;
  /** Covered card fee, as part of the total and of each renewal. */
  covered_fee_cents: Count;
  covered_renewal_fee_cents: Count;
  carbon: number;
  currency: Generated<string>;
  payment_status: Generated<PaymentStatus>;
  completed: Generated<boolean>;
  display_name: string | null;
  email: string | null;
  user_id: string | null;
  offsetter_id: string | null;
  provider_session_id: string | null;
  provider_payment_id: string | null;
  provider_customer_id: string | null;
  provider_subscription_id: string | null;
  payment_url: string | null;
  asked_provider_at: Date | null;
  /** Hash of the network that opened it, until it is paid, or for a day. */
  client: string | null;
  language: StoredLanguage;
  paid_at: Date | null;
  /** When the payer's data was erased, because that person deleted the account. */
  forgotten_at: Date | null;
  /** When the visitor's record was removed. The remaining fields are those that the ledger needs. */
  deleted_at: Date | null;
  /** When it was rebuilt from the provider's records, and whether the provider had its cart; otherwise carbon is rounded. */
  recovered_at: Date | null;
  recovered_exactly: boolean | null;
  created_at: CreatedAt;
};

export type PledgesTable = {
  id: string;
  org_id: string;
  /** Null once the person has deleted the account. */
  name: string | null;
  email: string | null;
  amount_cents: number;
  status: Generated<Exclude<PledgeStatus, 'bounced' | 'unlikely'>>;
  /** True if it is listed separately until an editor keeps it. */
  unlikely: Generated<boolean>;
  /** True if a withdrawn one is a check that bounced. */
  bounced: Generated<boolean>;
  /** Reason of the check's last reversal. */
  reversal_reason: string | null;
  received_at: Date | null;
  /** Amount of the check, which may differ from the promised one. */
  received_cents: number | null;
  check_number: string | null;
  note: string | null;
  language: StoredLanguage;
  created_at: CreatedAt;
};

/** A grant to an awardee's home. */
export type GrantsTable = {
  id: string;
  org_id: string;
  awardee_id: string;
  amount_cents: number;
  /** Other public money for the same work, and its source. */
  other_cents: number;
  other_source: string;
  /** True if the whole saving is counted although others pay, too; and the reason. */
  claims_all: boolean;
  claims_reason: string;
  measures: readonly Measure[];
  installer: string;
  /** Id in the organization's list of installers. */
  installer_id: string | null;
  /** Expected, in ten-thousandths of a pound. */
  yearly_carbon: number;
  years: number;
  method: Method;
  method_source: string;
  /** Fields that the household agreed to publish. */
  shown: readonly GrantField[];
  applied_on: Day;
  promised_on: Day | null;
  /** Entry of an open commitment in the ledger. */
  promised_entry_id: string | null;
  paid_on: Day | null;
  paid_entry_id: string | null;
  paid_cents: number | null;
  done_on: Day | null;
  inspected_on: Day | null;
  created_at: CreatedAt;
};

export type LedgerEntriesTable = {
  id: string;
  org_id: string;
  kind: LedgerKind;
  fact: string;
  checkout_id: string | null;
  pledge_id: string | null;
  grant_id: string | null;
  amount_cents: number;
  carbon: number;
  gas: Count;
  grants: Count;
  currency: Generated<string>;
  reason: string | null;
  actor_id: string | null;
  /** True if real money moved; null if unknown. The database fills in the current mode. */
  livemode: ColumnType<boolean | null, boolean | null | undefined, never>;
  occurred_at: Date;
  /** When it counts in the books. The database fills it in: when it occurred, or became known if that month was closed. */
  booked_at: ColumnType<Date, undefined, never>;
  /** Moment at which the fact became known, by the program's clock or else the database's. */
  known_at: ColumnType<Date, Date | undefined, never>;
  created_at: CreatedAt;
};

export type LedgerLinesTable = { entry_id: string; account: Account; cents: number };

/** True if payments move real money now; at most one row. */
export type PaymentModeTable = { only_row: Generated<boolean>; livemode: boolean };

/** One row per charge, so that a refund, fee, or payout finds its gift. */
export type PaymentsTable = {
  entry_id: string;
  org_id: string;
  checkout_id: string;
  session_id: string | null;
  intent_id: string | null;
  charge_id: string | null;
  invoice_id: string | null;
  subscription_id: string | null;
  balance_transaction_id: string | null;
  payout_id: string | null;
  charged_at: Date;
  amount_cents: number;
  /** Covered card fee as part of the amount, whatever the actual fee was. */
  covered_fee_cents: Count;
  currency: string;
  refunded_cents: Generated<number>;
  fee_cents: number | null;
  net_cents: number | null;
  status: Generated<'succeeded' | 'refunded' | 'disputed' | 'lost'>;
  livemode: boolean;
  asked_at: Date | null;
  created_at: CreatedAt;
};

/** A payout of the provider's account, which may contain money of several organizations. */
export type PayoutsTable = {
  id: string;
  amount_cents: number;
  currency: string;
  status: 'on-its-way' | 'paid' | 'failed';
  livemode: boolean;
  complete: Generated<boolean>;
  arrives_on: Day;
  failed_at: Date | null;
  returned_in: string | null;
  created_at: Date;
};

export type PayoutMovementsTable = {
  movement_id: string;
  payout_id: string;
  kind: PayoutMovementKind;
  source_id: string | null;
  charge_id: string | null;
  org_id: string | null;
  entry_id: string | null;
  gross_cents: number;
  fee_cents: number;
  net_cents: number;
  occurred_at: Date;
};

/** The ledger's entries of a payout. */
export type PayoutEntriesTable = { entry_id: string; payout_id: string };

/** A fee of the provider's for the account. */
export type AccountFeesTable = {
  id: string;
  amount_cents: number;
  currency: string;
  livemode: boolean;
  occurred_at: Date;
};

/** The provider's facts about a recurring gift, and the key of its donor's page. */
export type SubscriptionsTable = {
  id: string;
  org_id: string;
  checkout_id: string;
  key: string;
  status: Generated<GiftStatus>;
  amount_cents: number | null;
  /** Part of the amount. */
  covered_fee_cents: Count;
  unit: GiftInterval['unit'] | null;
  count: number | null;
  /** For a past due gift: the next retry. */
  next_charge_at: Date | null;
  canceled_at: Date | null;
  /** True if it ended because its card could not be charged. */
  ended_unpaid: Generated<boolean>;
  livemode: boolean | null;
  asked_at: Date | null;
  created_at: CreatedAt;
};

/** Each failed attempt to renew, so that its donor gets one email. */
export type FailedRenewalsTable = {
  invoice_id: string;
  attempt: number;
  subscription_id: string;
  amount_cents: number;
  failed_at: Date;
  retry_at: Date | null;
};

/** Returned or held money of a payment. The outcome of open disputes and pending refunds is unknown. */
export type ReturnsTable = {
  /** The provider's id. */
  id: string;
  entry_id: string;
  kind: 'refund' | 'dispute';
  amount_cents: number;
  status: 'pending' | 'succeeded' | 'failed' | 'open' | 'won' | 'lost';
  /** Part of the gift that left the balance and didn't come back. For disputes only once they are lost. */
  returned_cents: Generated<number>;
  /** Typed by an editor; erased with the payer. */
  reason: string | null;
  occurred_at: Date;
  created_at: CreatedAt;
};

export type LedgerTotalsTable = {
  org_id: string;
  amount_cents: Count;
  carbon: Count;
  gas: Count;
  grants: Count;
  entries: Count;
};

/** Result of the last attempt to email a receipt. */
export type ReceiptDelivery = 'waiting' | 'mailed' | 'refused' | 'failed' | 'no-address' | 'by-post';

export type ReceiptsTable = {
  org_id: string;
  /** Number within the organization, from 1. */
  number: number;
  series: ReceiptSeries;
  /** The number printed on the receipt. */
  donee_number: number;
  ledger_entry_id: string;
  checkout_id: string | null;
  key: string;
  /** Null once the person has deleted the account. */
  email: string | null;
  /** Another address chosen by an editor; the receipt goes there without links. */
  sent_to: string | null;
  name: string | null;
  amount_cents: number;
  issued_at: CreatedAt;
  /** Next charge of a recurring gift, as the provider reported it when the receipt was issued. */
  next_charge_at: Date | null;
  document: JSONColumnType<ReceiptDocument, string, string>;
  /** True if the payer must be erased as soon as the receipt is emailed. */
  erase_payer: Generated<boolean>;
  /** Triggers set these three from the emails. */
  delivery: Generated<ReceiptDelivery>;
  delivery_at: Generated<Date>;
  delivery_code: string | null;
};

/** Receipts of test payments have separate numbers. */
export type ReceiptSeries = 'live' | 'test';
/** The last number of each series: a row stays locked until the transaction that issues a receipt ends. */
export type ReceiptNumbersTable = { series: ReceiptSeries; first: number; last: number };

/** Skipped numbers, because a restored backup doesn't show whether they were used. */
export type ReceiptNumberGapsTable = {
  series: ReceiptSeries;
  first: number;
  last: number;
  payment_ids: ColumnType<string[], string[] | undefined, never>;
  created_at: CreatedAt;
};

/** A gift that found a home, about which its donor is emailed once. */
export type HomeMailsTable = {
  /** The gift's ledger entry. */
  entry_id: string;
  grant_id: string;
  org_id: string;
  /** The email, which can cover several gifts. */
  mailing: string;
  status: Generated<'sending' | 'mailed' | 'refused' | 'failed' | 'moot'>;
  /** Reason why it was rejected or failed. */
  code: string | null;
  mailed_at: Date;
};

export type ReceiptMailsTable = {
  org_id: string;
  number: number;
  /** Names the mailing, so that it isn't sent twice. */
  mailing: string;
  status: 'sending' | 'mailed' | 'refused' | 'failed' | 'by-post';
  /** Reason why it was rejected or failed. */
  code: string | null;
  tries: Generated<number>;
  /** When it was sent; until then, the time of the last attempt. */
  mailed_at: Date;
};

/** Events of a gift after its receipt was issued. */
export type ReceiptNotesTable = {
  fact: string;
  org_id: string;
  number: number;
  noted_on: Day;
  text: string;
  created_at: CreatedAt;
};

export type ProviderEventsTable = {
  id: string;
  type: string;
  /** pending: stored, to be applied. later: a type that this version doesn't handle. refused: see its reason. */
  outcome: 'pending' | 'recorded' | 'ignored' | 'refused' | 'later';
  checkout_id: string | null;
  reason: string | null;
  account: string | null;
  livemode: boolean;
  /** Null once the payer's data is erased. */
  payload: JSONColumnType<object | null, string | null, never>;
  /** The event's object at the provider. */
  subject_kind: SubjectKind | null;
  subject_id: string | null;
  attempts: Generated<number>;
  next_attempt_at: Date | null;
  applied_at: Date | null;
  occurred_at: Date;
  created_at: CreatedAt;
};

/** Money at the provider that could not be applied, until a person settles it (decisions §3). */
export type AttentionItemsTable = {
  id: string;
  subject: string;
  reason: string;
  org_id: string | null;
  checkout_id: string | null;
  amount_cents: number;
  currency: string;
  livemode: boolean;
  occurred_at: Date;
  due_at: Date | null;
  created_at: CreatedAt;
  settled_at: Date | null;
  settled_by: string | null;
  note: string | null;
};

/** Progress of reading a list at the provider. */
export type ProviderCursorsTable = { name: string; read_until: Date; types: string };

export type SessionsTable = {
  id: string;
  user_id: string;
  /** Hash of the secret in the browser's cookie. */
  token: string;
  expires_at: Date;
  /** Address of the login; erased with the session, after 90 days at the latest. */
  ip_address: string | null;
  /** Browser and system, such as "Firefox on Windows", until the person changes it. */
  name: string;
  /** When the person last proved their identity. */
  proven_at: Date;
  proven_by: ProofBy;
  second_factor_at: Date | null;
  used_at: Date;
  /** Final, however much the session is used. */
  ends_at: Date;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
};

/** A way of signing in: `credential` with a hashed password, or `google`. */
export type AccountsTable = {
  id: string;
  user_id: string;
  provider_id: string;
  account_id: string;
  password: string | null;
  created_at: CreatedAt;
  updated_at: Generated<Date>;
};

/** Sign-ups until a job checks the address. */
export type SignUpsTable = {
  id: string;
  details: JSONColumnType<object, string, never>;
  expires_at: Date;
  created_at: CreatedAt;
};

export type ProgramSecretsTable = { name: string; value: string };

/** Purpose of an emailed link. A code is valid for one purpose only. */
export type CodePurpose = 'sign-in' | 'verify' | 'reset' | 'proof' | 'invitation';

/** A single-use emailed code, by its hash. */
export type MailedCodesTable = {
  hash: string;
  purpose: CodePurpose;
  email: string;
  user_id: string | null;
  /** The invitation that the code accepts. */
  invitation_id: Generated<string | null>;
  expires_at: Date;
  used_at: Date | null;
  created_at: CreatedAt;
};

/** A passkey as a second factor. Its id is the credential's own. */
export type PasskeysTable = {
  id: string;
  user_id: string;
  /** In base64url, as the browser sent it. */
  public_key: string;
  counter: number;
  transports: JSONColumnType<string[], string, never>;
  name: string;
  created_at: CreatedAt;
  used_at: Date | null;
};

/** The key of a person's authenticator app. */
export type AuthenticatorsTable = {
  user_id: string;
  /** Encrypted. */
  key: string;
  /** Time step of the last used code, since no code works twice. */
  last_step: number;
  created_at: CreatedAt;
};

export type RecoveryCodesTable = {
  user_id: string;
  /** Hashes of the unused codes. */
  hashes: JSONColumnType<string[], string, string>;
  created_at: ColumnType<Date, Date | undefined, Date>;
};

/** A login that waits for its second step or a passkey, by the hash of the secret in its cookie. */
export type HalfLoginsTable = {
  hash: string;
  /** Null until a passkey identifies the user. */
  user_id: string | null;
  proven_by: ProofBy | null;
  challenge: string | null;
  expires_at: Date;
  created_at: CreatedAt;
};

/** The tribute of a checkout. A trigger erases it with its donor. */
export type TributesTable = {
  checkout_id: string;
  org_id: string;
  kind: TributeKind;
  name: string;
  /** Null, like the other card fields, if there is no card. */
  card_email: string | null;
  card_name: string | null;
  card_message: string | null;
  card_signed: string | null;
  card_status: Exclude<CardStatus, 'test'> | null;
  card_status_at: Date | null;
  card_code: string | null;
  card_mailing: Generated<string>;
  created_at: CreatedAt;
};

/** Number of a subject's attempts in its current window. */
export type AttemptsTable = { subject: string; count: number; ends_at: Date };

/** Activity, recorded by the program or by triggers in the same transaction. */
export type ActivitiesTable = {
  /** In the order of recording. */
  id: Generated<number>;
  created_at: CreatedAt;
  org_id: string | null;
  kind: string;
  verb: 'added' | 'changed' | 'removed' | 'done';
  /** True for a schedule, the payment provider, or a command. */
  by_program: boolean;
  /** Null for a visitor or the program. */
  actor_id: string | null;
  /** IP address. */
  client: string | null;
  person_id: string | null;
  subject: string | null;
  before: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  after: JSONColumnType<Record<string, unknown>, string | undefined, string>;
};

export type OperationMark =
  | 'webhook-verified'
  | 'webhook-refused'
  | 'books-begun'
  | 'books-verified'
  // How many differences.
  | 'provider-compared'
  // Until when there was none, in each payment mode: months before are closed.
  | 'provider-agreed-live'
  | 'provider-agreed-test'
  | 'alarms-looked'
  | 'event-found'
  | 'database-back';

/** Lease for work that only one process may run. */
export type LeasesTable = { name: string; holder: string; held_until: Date; due_at: Date };

/** Alarms that operators were notified of. */
export type AlarmsTable = { name: string; is_on: boolean; doubtful_since: Date | null; changed_at: Date | null };

/** When something last happened that every process needs to know. */
export type OperationMarksTable = { name: OperationMark; at: Date; count: Generated<number> };

/** An invitation to a role in an organization, until its address is verified. */
export type InvitationsTable = {
  id: string;
  org_id: string;
  email: string;
  invited_by: string | null;
  role: ColumnType<Role, Role | undefined, never>;
  created_at: CreatedAt;
};

/** Backups that were restored to try them. Of this installation: no backup has it. */
export type DrillsTable = {
  id: string;
  ended_at: Date;
  backup: string;
  backup_at: Date | null;
  seconds: number;
  /** Null: it succeeded. */
  problem: string | null;
};

/** Data of this installation, which no backup contains. */
export type BackupsTable = {
  id: string;
  /** Null for a backup on request. */
  due_at: Date | null;
  started_at: Date;
  /** When the process that makes it last said so. */
  seen_at: Date;
  tries: Generated<number>;
  finished_at: Date | null;
  /** Location of the complete backup; null before, and if it failed. */
  file: string | null;
  bytes: number | null;
  encrypted: boolean | null;
  problem: string | null;
};

export type Tables = {
  users: UsersTable;
  orgs: OrgsTable;
  factor_sets: FactorSetsTable;
  former_slugs: FormerSlugsTable;
  org_versions: OrgVersionsTable;
  org_editors: OrgEditorsTable;
  removed_editors: RemovedEditorsTable;
  cells: CellsTable;
  cell_versions: CellVersionsTable;
  offsetters: OffsettersTable;
  awardees: StoriesTable;
  installers: StoriesTable;
  checkouts: CheckoutsTable;
  tributes: TributesTable;
  pledges: PledgesTable;
  grants: GrantsTable;
  ledger_entries: LedgerEntriesTable;
  ledger_lines: LedgerLinesTable;
  payments: PaymentsTable;
  payment_mode: PaymentModeTable;
  payouts: PayoutsTable;
  payout_movements: PayoutMovementsTable;
  payout_entries: PayoutEntriesTable;
  account_fees: AccountFeesTable;
  returns: ReturnsTable;
  ledger_totals: LedgerTotalsTable;
  subscriptions: SubscriptionsTable;
  failed_renewals: FailedRenewalsTable;
  receipts: ReceiptsTable;
  receipt_mails: ReceiptMailsTable;
  home_mails: HomeMailsTable;
  receipt_numbers: ReceiptNumbersTable;
  receipt_number_gaps: ReceiptNumberGapsTable;
  receipt_notes: ReceiptNotesTable;
  provider_events: ProviderEventsTable;
  attention_items: AttentionItemsTable;
  provider_cursors: ProviderCursorsTable;
  sessions: SessionsTable;
  accounts: AccountsTable;
  sign_ups: SignUpsTable;
  program_secrets: ProgramSecretsTable;
  mailed_codes: MailedCodesTable;
  passkeys: PasskeysTable;
  authenticators: AuthenticatorsTable;
  recovery_codes: RecoveryCodesTable;
  half_logins: HalfLoginsTable;
  attempts: AttemptsTable;
  invitations: InvitationsTable;
  activities: ActivitiesTable;
  backups: BackupsTable;
  drills: DrillsTable;
  operation_marks: OperationMarksTable;
  alarms: AlarmsTable;
  leases: LeasesTable;
};
