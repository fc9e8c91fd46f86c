/** Generated from the schema by `npm run tables`. Do not edit. */

import type { FoundPlace } from "#contract/schemas/cities.ts";
import type { CartItem } from "#domain/cart.ts";
import type { DatedFactorSet } from "#domain/factor-sets.ts";
import type { GrantField, Measure } from "#domain/grant.ts";
import type { CheckoutId, OrgId, UserId } from "#domain/ids.ts";
import type { Cents, TenThousandthsOfPound } from "#domain/money.ts";
import type { AuthenticationMethod, Role } from "#domain/permissions.ts";
import type { ReceiptDocument } from "#domain/receipt.ts";
import type { OperationEvent, ReceiptSeries, StoredPhoto } from "#server/db/column-types.ts";
import type { SubjectKind } from "#server/gateways/payments/payments.ts";
import type { ColumnType, JSONColumnType } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export interface AccountFees {
  amount_cents: Cents;
  currency: string;
  id: string;
  livemode: boolean;
  occurred_at: Date;
}

export interface Accounts {
  account_id: string;
  created_at: Generated<Date>;
  id: string;
  password: string | null;
  provider_id: string;
  updated_at: Generated<Date>;
  user_id: UserId;
}

export interface Activities {
  actor_id: string | null;
  affected_user_id: string | null;
  after: Generated<JSONColumnType<object>>;
  before: Generated<JSONColumnType<object>>;
  created_at: Generated<Date>;
  id: Generated<number>;
  ip_address: string | null;
  is_automated: boolean;
  kind: string;
  org_id: OrgId | null;
  subject: string | null;
  verb: "added" | "changed" | "removed" | "done";
}

export interface Alarms {
  change_pending_since: Date | null;
  changed_at: Date | null;
  is_on: boolean;
  name: string;
}

export interface AttentionItems {
  amount_cents: Cents;
  checkout_id: CheckoutId | null;
  created_at: Generated<Date>;
  currency: string;
  due_at: Date | null;
  id: string;
  livemode: boolean;
  note: string | null;
  occurred_at: Date;
  org_id: OrgId | null;
  reason: string;
  resolution: "manual" | "recorded" | "closed" | null;
  resolved_at: Date | null;
  resolved_by: string | null;
  subject: string;
}

export interface Authenticators {
  created_at: Generated<Date>;
  key: string;
  last_step: number;
  user_id: UserId;
}

export interface Awardees {
  changed_at: Date | null;
  consent_recorded_by: string | null;
  consent_revoked_at: Date | null;
  consented_at: Date | null;
  created_at: Generated<Date>;
  id: string;
  name: string;
  org_id: OrgId;
  photo: JSONColumnType<StoredPhoto> | null;
  photo_token: Generated<string>;
  status: Generated<"draft" | "published" | "hidden">;
  story: string;
}

export interface Backups {
  attempts: Generated<number>;
  bytes: number | null;
  due_at: Date | null;
  encrypted: boolean | null;
  file: string | null;
  finished_at: Date | null;
  heartbeat_at: Date;
  id: string;
  problem: string | null;
  started_at: Date;
}

export interface BankMarks {
  created_at: Generated<Date>;
  kind: "payout" | "deposit" | "bounced-check";
  org_id: OrgId;
  subject: string;
  user_id: UserId | null;
}

export interface Cells {
  created_at: Generated<Date>;
  html: string;
  markdown: string;
  name: string;
  org_id: OrgId;
  page: string;
  user_id: UserId | null;
}

export interface CellVersions {
  created_at: Generated<Date>;
  id: string;
  is_default: boolean;
  markdown: string;
  name: string;
  org_id: OrgId;
  page: string;
  user_id: UserId | null;
}

export interface Checkouts {
  carbon: TenThousandthsOfPound;
  cart: JSONColumnType<CartItem[]>;
  client_hash: string | null;
  completed: Generated<boolean>;
  covered_fee_cents: Generated<Cents>;
  covered_renewal_fee_cents: Generated<Cents>;
  created_at: Generated<Date>;
  creator_hash: string | null;
  currency: Generated<string>;
  deleted_at: Date | null;
  display_name: string | null;
  donor_id: string | null;
  email: string | null;
  first_payment_status: "paid" | "refunded" | "disputed" | null;
  id: CheckoutId;
  language: string | null;
  offsetter_id: string | null;
  org_id: OrgId;
  paid_at: Date | null;
  payer_erased_at: Date | null;
  payment_status: Generated<"unpaid" | "processing" | "paid" | "failed" | "expired" | "refunded" | "disputed">;
  payment_url: string | null;
  provider_checked_at: Date | null;
  provider_customer_id: string | null;
  provider_payment_id: string | null;
  provider_session_id: string | null;
  provider_subscription_id: string | null;
  recovered_at: Date | null;
  recovered_exactly: boolean | null;
  search_vector: Generated<string | null>;
  total_cents: Cents;
  user_id: UserId | null;
}

export interface DepositChecks {
  deposit_id: string;
  entry_id: string;
}

export interface Deposits {
  created_at: Generated<Date>;
  deposited_on: string;
  id: string;
  org_id: OrgId;
  user_id: UserId | null;
}

export interface Donors {
  amount_cents: Generated<Cents>;
  corrected_email: string | null;
  correction_reason: string | null;
  created_at: Generated<Date>;
  email: string | null;
  first_gift_at: Date | null;
  gifts: Generated<number>;
  id: string;
  identity: string | null;
  last_gift_at: Date | null;
  merge_reason: string | null;
  merged_into_id: string | null;
  name: string | null;
  org_id: OrgId;
  postal_address: string | null;
  search_vector: Generated<string | null>;
  sort_name: Generated<string | null>;
  user_id: UserId | null;
}

export interface EmailChoices {
  gifts: "each" | "daily" | "never";
  gifts_changed_at: Date | null;
  org_id: OrgId;
  problems: "each" | "never";
  problems_changed_at: Date | null;
  statements: "each" | "never";
  statements_changed_at: Date | null;
  stories: "each" | "daily" | "never";
  stories_changed_at: Date | null;
  user_id: UserId;
}

export interface EmailCodes {
  created_at: Generated<Date>;
  email: string;
  expires_at: Date;
  hash: string;
  invitation_id: string | null;
  purpose: "sign-in" | "verify" | "new-email" | "reset" | "confirmation" | "invitation";
  used_at: Date | null;
  user_id: UserId | null;
}

export interface FactorSets {
  created_at: Generated<Date>;
  factors: JSONColumnType<DatedFactorSet>;
  number: number;
  org_id: OrgId;
  reason: string;
  summary: string;
  version: string;
}

export interface FailedRenewals {
  amount_cents: Cents;
  attempt: number;
  failed_at: Date;
  invoice_id: string;
  retry_at: Date | null;
  subscription_id: string;
}

export interface FormerSlugs {
  org_id: OrgId;
  slug: string;
}

export interface GrantEmails {
  entry_id: string;
  error_code: string | null;
  grant_id: string;
  last_attempt_at: Date;
  mailing_id: string;
  org_id: OrgId;
  status: Generated<"sending" | "sent" | "rejected" | "failed" | "skipped">;
}

export interface Grants {
  amount_cents: Cents;
  applied_on: string;
  awardee_id: string;
  claims_full_savings: boolean;
  created_at: Generated<Date>;
  done_on: string | null;
  full_savings_reason: string;
  id: string;
  inspected_on: string | null;
  installer: string;
  installer_id: string | null;
  measures: ReadonlyArray<Measure>;
  method: "audit" | "model" | "deemed";
  method_source: string;
  org_id: OrgId;
  other_funding_cents: Cents;
  other_funding_source: string;
  paid_cents: Cents | null;
  paid_entry_id: string | null;
  paid_on: string | null;
  promised_entry_id: string | null;
  promised_on: string | null;
  published_fields: ReadonlyArray<GrantField>;
  yearly_carbon: TenThousandthsOfPound;
  years: number;
}

export interface Installers {
  changed_at: Date | null;
  consent_recorded_by: string | null;
  consent_revoked_at: Date | null;
  consented_at: Date | null;
  created_at: Generated<Date>;
  id: string;
  name: string;
  org_id: OrgId;
  photo: JSONColumnType<StoredPhoto> | null;
  photo_token: Generated<string>;
  status: Generated<"draft" | "published" | "hidden">;
  story: string;
}

export interface Invitations {
  created_at: Generated<Date>;
  email: string;
  id: string;
  invited_by: string | null;
  org_id: OrgId;
  role: Generated<Role>;
}

export interface Leases {
  due_at: Date;
  held_until: Date;
  holder: string;
  name: string;
}

export interface LedgerEntries {
  actor_id: string | null;
  amount_cents: Cents;
  balance_transaction_id: string | null;
  booked_at: Generated<Date>;
  carbon: TenThousandthsOfPound;
  checkout_id: CheckoutId | null;
  created_at: Generated<Date>;
  currency: Generated<string>;
  fact: string;
  gas: Generated<number>;
  grant_id: string | null;
  grants: Generated<number>;
  id: string;
  kind: "payment" | "renewal" | "refund" | "dispute" | "adjustment" | "check" | "reversal" | "fee" | "payout" | "promise" | "grant";
  livemode: boolean | null;
  occurred_at: Date;
  org_id: OrgId;
  payment_entry_id: string | null;
  pledge_id: string | null;
  reason: string | null;
  reported_at: Generated<Date>;
  return_id: string | null;
  reversed_entry_id: string | null;
}

export interface LedgerLines {
  account: "provider" | "bank" | "gifts" | "fees" | "disputed" | "grants" | "promised" | "opening";
  cents: Cents;
  entry_id: string;
}

export interface LedgerTotals {
  amount_cents: Generated<Cents>;
  carbon: Generated<TenThousandthsOfPound>;
  entries: Generated<number>;
  gas: Generated<number>;
  grants: Generated<number>;
  org_id: OrgId;
}

export interface MonthChanges {
  action: "closed" | "reopened";
  created_at: Generated<Date>;
  id: Generated<number>;
  month: string;
  org_id: OrgId;
  reason: string | null;
  user_id: UserId | null;
}

export interface Offsetters {
  changed_at: Date | null;
  checkout_id: CheckoutId | null;
  claim: "pending" | "declined" | null;
  created_at: Generated<Date>;
  email: string;
  hidden_by_refund: Generated<boolean>;
  id: string;
  language: string | null;
  last_offset_at: Date | null;
  name: string;
  org_id: OrgId;
  photo: JSONColumnType<StoredPhoto> | null;
  photo_token: Generated<string>;
  shown_as: Generated<"full" | "first" | "none">;
  shows_homes: Generated<boolean>;
  shows_pounds: Generated<boolean>;
  status: Generated<"draft" | "published" | "hidden">;
  story: string;
  user_id: UserId | null;
}

export interface OperationEvents {
  at: Date;
  count: Generated<number>;
  name: OperationEvent;
}

export interface OrgEditors {
  created_at: Generated<Date>;
  display_name: string;
  org_id: OrgId;
  role: Generated<Role>;
  user_id: UserId;
}

export interface Orgs {
  created_at: Generated<Date>;
  currency: Generated<string>;
  delta_carbon: Generated<TenThousandthsOfPound>;
  delta_cents: Generated<Cents>;
  delta_gas: Generated<number>;
  delta_grants: Generated<number>;
  dismissed_steps: Generated<string[]>;
  editors_need_second_factor: Generated<boolean>;
  factors: JSONColumnType<DatedFactorSet> | null;
  home_city: JSONColumnType<FoundPlace> | null;
  id: OrgId;
  is_sample: Generated<boolean>;
  name: string;
  no_awardees: Generated<boolean>;
  photo: JSONColumnType<StoredPhoto> | null;
  place: Generated<string>;
  review_stories: Generated<boolean>;
  slug: string;
  stats_updated_at: Generated<Date>;
  tag: string;
  takes_applications: Generated<boolean>;
  time_zone: Generated<string>;
  typical_grant_cents: Cents | null;
}

export interface OrgVersions {
  changed_at: Generated<Date>;
  content_version: Generated<number>;
  org_id: OrgId;
  stats_changed_at: Date | null;
  version: Generated<number>;
}

export interface Passkeys {
  counter: number;
  created_at: Generated<Date>;
  id: string;
  name: string;
  public_key: string;
  transports: JSONColumnType<string[]>;
  used_at: Date | null;
  user_id: UserId;
}

export interface PaymentMode {
  is_only_row: Generated<boolean>;
  livemode: boolean;
}

export interface PaymentReturns {
  amount_cents: Cents;
  created_at: Generated<Date>;
  entry_id: string;
  id: string;
  kind: "refund" | "dispute";
  occurred_at: Date;
  reason: string | null;
  returned_cents: Generated<Cents>;
  status: "pending" | "succeeded" | "failed" | "open" | "won" | "lost";
}

export interface Payments {
  amount_cents: Cents;
  balance_transaction_id: string | null;
  charge_id: string | null;
  charged_at: Date;
  checkout_id: CheckoutId;
  covered_fee_cents: Generated<Cents>;
  created_at: Generated<Date>;
  currency: string;
  entry_id: string;
  fee_cents: Cents | null;
  fee_checked_at: Date | null;
  intent_id: string | null;
  invoice_id: string | null;
  listed: Generated<boolean>;
  livemode: boolean;
  net_cents: Cents | null;
  org_id: OrgId;
  payout_id: string | null;
  renewal: Generated<boolean>;
  returned_cents: Generated<Cents>;
  search_vector: string | null;
  session_id: string | null;
  status: Generated<"succeeded" | "refunded" | "disputed" | "lost">;
  subscription_id: string | null;
}

export interface PayoutEntries {
  entry_id: string;
  payout_id: string;
}

export interface PayoutMovements {
  charge_id: string | null;
  entry_id: string | null;
  fee_cents: Cents;
  gross_cents: Cents;
  kind: "payment" | "refund" | "dispute" | "returned-payout" | "manual" | "fee" | "account";
  movement_id: string;
  net_cents: Cents;
  occurred_at: Date;
  org_id: OrgId | null;
  payout_id: string;
  source_id: string | null;
}

export interface Payouts {
  amount_cents: Cents;
  arrives_on: string;
  created_at: Date;
  currency: string;
  failed_at: Date | null;
  has_all_movements: Generated<boolean>;
  id: string;
  livemode: boolean;
  replacement_payout_id: string | null;
  status: "in-transit" | "paid" | "failed";
}

export interface PendingLogins {
  authentication_method: AuthenticationMethod | null;
  challenge: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  hash: string;
  user_id: UserId | null;
}

export interface Pledges {
  amount_cents: Cents;
  bounced: Generated<boolean>;
  check_number: string | null;
  created_at: Generated<Date>;
  donor_id: string | null;
  email: string | null;
  id: string;
  language: string | null;
  listed_at: Generated<Date>;
  listed_cents: Generated<Cents>;
  name: string | null;
  note: string | null;
  org_id: OrgId;
  postal_address: string | null;
  received_at: Date | null;
  received_cents: Cents | null;
  reversal_reason: string | null;
  search_vector: Generated<string | null>;
  status: Generated<"pledged" | "received" | "withdrawn">;
  suspicious: Generated<boolean>;
}

export interface ProgramSecrets {
  name: string;
  value: string;
}

export interface ProviderCursors {
  name: string;
  read_until: Date;
  types: string | null;
}

export interface ProviderEvents {
  account: string | null;
  applied_at: Date | null;
  attempts: Generated<number>;
  checkout_id: CheckoutId | null;
  created_at: Generated<Date>;
  errors: Generated<number>;
  id: string;
  livemode: boolean;
  next_attempt_at: Date | null;
  occurred_at: Date;
  outcome: "pending" | "recorded" | "ignored" | "attention" | "unsupported";
  payload: JSONColumnType<object> | null;
  reason: string | null;
  subject_id: string | null;
  subject_kind: SubjectKind | null;
  type: string;
}

export interface RateLimits {
  count: number;
  ends_at: Date;
  subject: string;
}

export interface ReceiptEmails {
  attempts: Generated<number>;
  error_code: string | null;
  last_attempt_at: Date;
  mailing_id: string;
  number: number;
  org_id: OrgId;
  status: "sending" | "sent" | "rejected" | "failed" | "postal-mail";
}

export interface ReceiptNotes {
  created_at: Generated<Date>;
  fact: string;
  noted_on: string;
  number: number;
  org_id: OrgId;
  text: string;
}

export interface ReceiptNumberGaps {
  created_at: Generated<Date>;
  first: number;
  last: number;
  payment_ids: Generated<string[]>;
  series: ReceiptSeries;
}

export interface ReceiptNumbers {
  first: number;
  last: number;
  series: "live" | "test";
}

export interface Receipts {
  alternate_email: string | null;
  amount_cents: Cents;
  checkout_id: CheckoutId | null;
  delivery: Generated<"pending" | "sent" | "rejected" | "failed" | "no-address" | "postal-mail">;
  delivery_at: Generated<Date>;
  delivery_error_code: string | null;
  document: JSONColumnType<ReceiptDocument>;
  email: string | null;
  erase_payer_after_delivery: Generated<boolean>;
  issued_at: Generated<Date>;
  key: string;
  ledger_entry_id: string;
  name: string | null;
  next_charge_at: Date | null;
  number: number;
  org_id: OrgId;
  printed_number: number;
  series: ReceiptSeries;
}

export interface RecoveryCodes {
  created_at: Generated<Date>;
  hashes: JSONColumnType<string[]>;
  user_id: UserId;
}

export interface RemovedEditors {
  created_at: Date;
  display_name: string;
  org_id: OrgId;
  removed_at: Date;
  user_id: UserId;
}

export interface RestoreDrills {
  backup: string;
  backup_at: Date | null;
  ended_at: Date;
  id: string;
  problem: string | null;
  seconds: number;
}

export interface Sessions {
  authenticated_at: Date;
  authentication_method: AuthenticationMethod;
  created_at: Generated<Date>;
  expires_at: Date;
  id: string;
  ip_address: string | null;
  max_expires_at: Date;
  name: string;
  second_factor_at: Date | null;
  token: string;
  updated_at: Generated<Date>;
  used_at: Date;
  user_id: UserId;
}

export interface SignUps {
  created_at: Generated<Date>;
  details: JSONColumnType<object>;
  expires_at: Date;
  id: string;
}

export interface Subscriptions {
  amount_cents: Cents | null;
  canceled_at: Date | null;
  checkout_id: CheckoutId;
  covered_fee_cents: Generated<Cents>;
  created_at: Generated<Date>;
  ended_unpaid: Generated<boolean>;
  id: string;
  interval_count: number | null;
  interval_unit: "month" | "year" | null;
  livemode: boolean | null;
  next_charge_at: Date | null;
  org_id: OrgId;
  page_key: string;
  provider_checked_at: Date | null;
  status: Generated<"unknown" | "active" | "past_due" | "paused" | "canceled">;
  stop_requested_at: Date | null;
  stopped_at: Date | null;
}

export interface TeamEmails {
  error_code: string | null;
  kind: string;
  last_attempt_at: Date;
  org_id: OrgId;
  status: Generated<"sending" | "sent" | "rejected" | "failed" | "skipped">;
  subject: string;
  user_id: UserId;
}

export interface TeamNotes {
  author_id: string | null;
  checkout_id: CheckoutId | null;
  created_at: Generated<Date>;
  deleted_at: Date | null;
  donor_id: string | null;
  id: string;
  org_id: OrgId;
  pledge_id: string | null;
  text: string;
}

export interface Tributes {
  card_email: string | null;
  card_error_code: string | null;
  card_mailing_id: Generated<string>;
  card_message: string | null;
  card_name: string | null;
  card_signature: string | null;
  card_status: "unpaid" | "sending" | "sent" | "rejected" | "failed" | "unknown" | null;
  card_status_at: Date | null;
  checkout_id: CheckoutId;
  created_at: Generated<Date>;
  kind: "honor" | "memory";
  name: string;
  org_id: OrgId;
}

export interface Users {
  admin: Generated<boolean>;
  created_at: Generated<Date>;
  display_name: Generated<string>;
  email: string;
  email_verified: Generated<boolean>;
  id: UserId;
  is_anonymous: Generated<boolean>;
  known_browsers_version: Generated<number>;
  language: string | null;
  photo_url: string | null;
  second_factor_removal_at: Date | null;
  updated_at: Generated<Date>;
}

export interface Tables {
  account_fees: AccountFees;
  accounts: Accounts;
  activities: Activities;
  alarms: Alarms;
  attention_items: AttentionItems;
  authenticators: Authenticators;
  awardees: Awardees;
  backups: Backups;
  bank_marks: BankMarks;
  cell_versions: CellVersions;
  cells: Cells;
  checkouts: Checkouts;
  deposit_checks: DepositChecks;
  deposits: Deposits;
  donors: Donors;
  email_choices: EmailChoices;
  email_codes: EmailCodes;
  factor_sets: FactorSets;
  failed_renewals: FailedRenewals;
  former_slugs: FormerSlugs;
  grant_emails: GrantEmails;
  grants: Grants;
  installers: Installers;
  invitations: Invitations;
  leases: Leases;
  ledger_entries: LedgerEntries;
  ledger_lines: LedgerLines;
  ledger_totals: LedgerTotals;
  month_changes: MonthChanges;
  offsetters: Offsetters;
  operation_events: OperationEvents;
  org_editors: OrgEditors;
  org_versions: OrgVersions;
  orgs: Orgs;
  passkeys: Passkeys;
  payment_mode: PaymentMode;
  payment_returns: PaymentReturns;
  payments: Payments;
  payout_entries: PayoutEntries;
  payout_movements: PayoutMovements;
  payouts: Payouts;
  pending_logins: PendingLogins;
  pledges: Pledges;
  program_secrets: ProgramSecrets;
  provider_cursors: ProviderCursors;
  provider_events: ProviderEvents;
  rate_limits: RateLimits;
  receipt_emails: ReceiptEmails;
  receipt_notes: ReceiptNotes;
  receipt_number_gaps: ReceiptNumberGaps;
  receipt_numbers: ReceiptNumbers;
  receipts: Receipts;
  recovery_codes: RecoveryCodes;
  removed_editors: RemovedEditors;
  restore_drills: RestoreDrills;
  sessions: Sessions;
  sign_ups: SignUps;
  subscriptions: Subscriptions;
  team_emails: TeamEmails;
  team_notes: TeamNotes;
  tributes: Tributes;
  users: Users;
}
