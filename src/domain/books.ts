import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import type { Cents, TenThousandthsOfPound } from './money.ts';
import { visibleLength } from './profile.ts';

/**
 * The ledger's accounts (decisions §3). Debits are positive and credits negative: money that a fund has is positive,
 * and gifts, its income, are negative. provider: held by the payment provider. disputed: held until a dispute is
 * decided. grants: promised or paid to homes. promised: promised but unpaid, so negative. opening: corrections to the
 * totals that move no money.
 */
export const ACCOUNTS = ['provider', 'bank', 'gifts', 'fees', 'disputed', 'grants', 'promised', 'opening'] as const;
export type Account = (typeof ACCOUNTS)[number];

/** Visible characters in a refund's reason. */
export const MAX_REASON_LENGTH = 300;

/** Cents that an entry adds to each account. They sum to zero. */
export type Lines = Partial<Readonly<Record<Account, Cents>>>;

/**
 * Kinds of ledger entries. reversal: reverses a failed refund, or a check that bounced or was recorded by mistake.
 * fee and payout move money between accounts, promise and grant spend it; none of them changes the stats. Reversing a
 * promise or a grant's payment posts the same kind with the opposite sign.
 */
export const LEDGER_KINDS = [
  'payment',
  'renewal',
  'check',
  'refund',
  'dispute',
  'reversal',
  'adjustment',
  'fee',
  'payout',
  'promise',
  'grant',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** Gifts by card or bank debit. */
export const ONLINE_GIFT_ENTRIES = ['payment', 'renewal'] as const satisfies readonly LedgerKind[];
export const GIFT_ENTRIES = [...ONLINE_GIFT_ENTRIES, 'check'] as const satisfies readonly LedgerKind[];
/** Gifts and their returns. */
export const GIFT_AND_RETURN_ENTRIES = [
  ...GIFT_ENTRIES,
  'refund',
  'dispute',
  'reversal',
] as const satisfies readonly LedgerKind[];

/** @returns Failure no-reason, reason-too-long */
export function reasonFailure(reason: string): Failure | undefined {
  const length = visibleLength(reason.trim());
  if (length === 0) return formFailure('no-reason');
  return length > MAX_REASON_LENGTH ? formFailure('reason-too-long', { max: MAX_REASON_LENGTH }) : undefined;
}

type RefundAmounts = { readonly status: string; readonly amount_cents: Cents; readonly returned_cents: Cents };

/** Amount that can still be refunded. Refunds that are pending at the provider aren't in the books yet. */
export function refundableCents(
  payment: { readonly amount_cents: Cents; readonly returned_cents: Cents },
  returns: readonly RefundAmounts[],
): Cents {
  const pendingCents = returns
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount_cents, returned_cents }) => sum + amount_cents - returned_cents, 0);
  return Math.max(0, payment.amount_cents - payment.returned_cents - pendingCents);
}

/** Amounts of a gift that were, or may still be, returned to the donor. */
export type ReturnedAmounts = { readonly returned: Cents; readonly pending: Cents; readonly disputed: Cents };

/** Limits a gift's returns to its amount, which a refund and a dispute of the same charge can together exceed. */
export function limitReturns(amount: Cents, returns: ReturnedAmounts): ReturnedAmounts {
  const returnedCents = Math.min(returns.returned, amount);
  const pending = Math.min(returns.pending, amount - returnedCents);
  const disputed = Math.min(returns.disputed, amount - returnedCents - pending);
  return { returned: returnedCents, pending, disputed };
}

function transferLines(cents: Cents, from: Account, to: Account): Lines {
  return cents === 0 ? {} : { [from]: -cents, [to]: cents };
}

/** A card payment or bank debit that the provider holds for the fund. */
export const providerPaymentLines = (cents: Cents): Lines => transferLines(cents, 'gifts', 'provider');
/** A received check; negative for a bounced one. */
export const checkLines = (cents: Cents): Lines => transferLines(cents, 'gifts', 'bank');
/** @param cents positive to raise the totals */
export const adjustmentLines = (cents: Cents): Lines => transferLines(cents, 'gifts', 'opening');
/** Money returned to the donor; negative if a refund failed. */
export const refundLines = (cents: Cents): Lines => transferLines(cents, 'provider', 'gifts');
/** The provider's fee for a payment; negative if it is returned. */
export const feeLines = (cents: Cents): Lines => transferLines(cents, 'provider', 'fees');
/** Holds back disputed money until the decision; the gift still counts. Negative when the money returns. */
export const disputeLines = (cents: Cents): Lines => transferLines(cents, 'provider', 'disputed');
/**
 * Returns money from an account to the donor; negative when it is returned to the fund. The excess over the gift, as after
 * a partial refund and a lost dispute of the entire gift, is posted as a loss under fees.
 */
export function returnLines(from: 'provider' | 'disputed', part: Cents, excess: Cents): Lines {
  const lines = { [from]: -(part + excess), gifts: part, fees: excess };
  return Object.fromEntries(Object.entries(lines).filter(([, line]) => line !== 0));
}

/** A payout that reached the bank; negative if it failed. */
export const payoutLines = (cents: Cents): Lines => transferLines(cents, 'provider', 'bank');
/** A promise to a home; negative for a reversal. */
export const promiseLines = (cents: Cents): Lines => transferLines(cents, 'promised', 'grants');

/** A grant's payment, part of which may have been promised. It uses up the whole promise even if less was paid. */
export function grantPaymentLines(cents: Cents, promised: Cents): Lines {
  const lines = { bank: -cents, promised, grants: cents - promised };
  return Object.fromEntries(Object.entries(lines).filter(([, line]) => line !== 0));
}

/** The same lines with the opposite sign. */
export function reverseLines(lines: Lines): Lines {
  return Object.fromEntries(Object.entries(lines).map(([account, cents]) => [account, -cents]));
}

/** Balances of an organization's accounts. */
export type Balances = Readonly<Record<Account, Cents>>;

/** Money that a fund can grant: gifts − fees − disputed − paid − promised = available. */
export type AvailableFunds = {
  /** Excludes refunds, lost disputes, bounced checks, and corrections of the totals, which move no money. */
  readonly gifts: Cents;
  readonly fees: Cents;
  /** Held back until open disputes are decided. */
  readonly disputed: Cents;
  readonly paid: Cents;
  /** Promised to homes and unpaid. */
  readonly promised: Cents;
  /** Negative if promises and payments exceed the gifts. */
  readonly available: Cents;
  /** Money that is still with the card processor. */
  readonly processorBalance: Cents;
};

export function calculateAvailableFunds({
  provider,
  bank,
  gifts,
  fees,
  disputed,
  grants,
  promised,
  opening,
}: Balances): AvailableFunds {
  return {
    gifts: -gifts - opening,
    fees,
    disputed,
    paid: grants + promised,
    promised: promised === 0 ? 0 : -promised,
    available: provider + bank + promised,
    processorBalance: provider,
  };
}

/** Builds the lines of an entry from its kind and amount; empty for kinds that need more than an amount. */
export function buildLines(kind: LedgerKind, amount: Cents): Lines {
  switch (kind) {
    case 'payment':
    case 'renewal':
      return providerPaymentLines(amount);
    case 'refund':
      return refundLines(-amount);
    case 'check':
      return checkLines(amount);
    case 'adjustment':
      return adjustmentLines(amount);
    case 'dispute':
    case 'reversal':
    case 'fee':
    case 'payout':
    case 'promise':
    case 'grant':
      return {};
  }
}

/** Cents that an entry adds to the gifts total in the stats. */
export function giftCents({ gifts = 0 }: Lines): Cents {
  return gifts === 0 ? 0 : -gifts;
}

/**
 * The carbon for part of a gift, proportional to its cents and rounded to the nearest ten-thousandth of a pound.
 * Compute it for the total refunded so far, so that the parts of a gift add up exactly.
 * @param carbon of the whole gift
 */
export function calculateCarbonShare(carbon: TenThousandthsOfPound, part: Cents, whole: Cents): TenThousandthsOfPound {
  if (whole <= 0) return 0;
  const scaled = BigInt(carbon) * BigInt(part) * 2n + BigInt(whole);
  return Number(scaled / (2n * BigInt(whole)));
}

/** Entry names in the treasurer's files. */
export const ENTRY_TITLES: Readonly<Record<LedgerKind, string>> = {
  payment: 'Gift',
  renewal: 'Recurring gift',
  check: 'Check',
  fee: 'Card processing fee',
  refund: 'Refund',
  // A failed refund, or a bounced check.
  reversal: 'Reversal',
  dispute: 'Dispute',
  payout: 'Payout to the bank',
  adjustment: 'Adjustment',
  promise: 'Grant promised',
  grant: 'Grant',
};
