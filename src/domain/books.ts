import type { Failure } from './failures.ts';
import { formFailure } from './form-failures.ts';
import type { Cents } from './money.ts';
import { lengthOf } from './profile.ts';

/**
 * The accounts of the books (decisions §3). Money that a fund has is positive; gifts, where it came from, are negative.
 * provider: held by the payment provider. disputed: held back until a dispute is decided. grants: promised or paid to homes.
 * committed: promised and not paid, so negative. opening: corrections of the totals, without money.
 */
export const ACCOUNTS = ['provider', 'bank', 'gifts', 'fees', 'disputed', 'grants', 'committed', 'opening'] as const;
export type Account = (typeof ACCOUNTS)[number];

/** In characters: why money went back. */
export const REASON_MAXIMUM = 300;

/** What an entry does to each account, in cents. They sum to zero. */
export type Lines = Partial<Readonly<Record<Account, Cents>>>;

/**
 * What an entry of the ledger is about. reversal: of a check that bounced or was recorded by mistake, or of a refund that
 * failed. fee and payout move money between accounts, commitment and grant spend it: they add nothing to the stats. Who
 * takes a promise or a payment back posts the same kind the other way.
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
  'commitment',
  'grant',
] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** @returns Failure no-reason, reason-too-long */
export function reasonFailure(reason: string): Failure | undefined {
  const length = lengthOf(reason.trim());
  if (length === 0) return formFailure('no-reason');
  return length > REASON_MAXIMUM ? formFailure('reason-too-long', { most: REASON_MAXIMUM }) : undefined;
}

function move(cents: Cents, from: Account, to: Account): Lines {
  return cents === 0 ? {} : { [from]: -cents, [to]: cents };
}

/** A card payment or bank debit that the provider holds for the fund. */
export const paidAtProvider = (cents: Cents): Lines => move(cents, 'gifts', 'provider');
/** A check that was received, or, negative, one that bounced. */
export const checkReceived = (cents: Cents): Lines => move(cents, 'gifts', 'bank');
/** @param cents positive to raise the totals */
export const adjusted = (cents: Cents): Lines => move(cents, 'gifts', 'opening');
/** Money that goes back to the donor; negative when a refund failed and the money returned. */
export const refunded = (cents: Cents): Lines => move(cents, 'provider', 'gifts');
/** What the provider keeps of a payment; negative when it gives a fee back. */
export const feeTaken = (cents: Cents): Lines => move(cents, 'provider', 'fees');
/** A dispute's money is held back until it is decided; the gift still counts. Negative when the money returns. */
export const disputeHeld = (cents: Cents): Lines => move(cents, 'provider', 'disputed');
/**
 * Money that goes back to the donor out of an account; negative when it returns. What exceeds the gift, as after a partial
 * refund and a lost dispute of all of it, is a loss of the fund, which stands among its fees.
 */
export function givenBack(from: 'provider' | 'disputed', part: Cents, excess: Cents): Lines {
  const lines = { [from]: -(part + excess), gifts: part, fees: excess };
  return Object.fromEntries(Object.entries(lines).filter(([, line]) => line !== 0));
}

/** Money that arrived on the bank account; negative when a payout failed. */
export const paidOut = (cents: Cents): Lines => move(cents, 'provider', 'bank');
/** Money that a home was promised; negative when the promise is taken back. */
export const grantPromised = (cents: Cents): Lines => move(cents, 'committed', 'grants');

/** A grant that left the bank, of which some may have been promised; the promise is kept with it, whatever was paid. */
export function grantPaid(cents: Cents, promised: Cents): Lines {
  const lines = { bank: -cents, committed: promised, grants: cents - promised };
  return Object.fromEntries(Object.entries(lines).filter(([, line]) => line !== 0));
}

/** The same money the other way. */
export function takenBack(lines: Lines): Lines {
  return Object.fromEntries(Object.entries(lines).map(([account, cents]) => [account, -cents]));
}

/** What an organization's accounts hold. */
export type Balances = Readonly<Record<Account, Cents>>;

/** How much a fund may grant, and how that comes about: gifts − fees − disputed − paid − promised = free. */
export type FreeMoney = {
  /** Less refunds, lost disputes and bounced checks. Corrections of the totals are no money. */
  readonly gifts: Cents;
  readonly fees: Cents;
  /** Held back until open disputes are decided. */
  readonly disputed: Cents;
  readonly paid: Cents;
  /** To homes, and not paid yet. */
  readonly promised: Cents;
  /** Negative where more was promised or paid than gifts brought. */
  readonly free: Cents;
  /** Of it, still with the card processor. */
  readonly atProvider: Cents;
};

export function freeMoneyOf({
  provider,
  bank,
  gifts,
  fees,
  disputed,
  grants,
  committed,
  opening,
}: Balances): FreeMoney {
  return {
    gifts: -gifts - opening,
    ...{ fees, disputed, paid: grants + committed, promised: committed === 0 ? 0 : -committed },
    ...{ free: provider + bank + committed, atProvider: provider },
  };
}

/** The lines of an entry whose kind and amount say all. Fees, payouts, grants and disputes need their own lines. */
export function linesOf(kind: LedgerKind, amount: Cents): Lines {
  switch (kind) {
    case 'payment':
    case 'renewal':
      return paidAtProvider(amount);
    case 'refund':
      return refunded(-amount);
    case 'check':
      return checkReceived(amount);
    case 'adjustment':
      return adjusted(amount);
    case 'dispute':
    case 'reversal':
    case 'fee':
    case 'payout':
    case 'commitment':
    case 'grant':
      return {};
  }
}

/** What an entry's lines add to the gifts: the amount that the stats count. */
export function giftsOf({ gifts = 0 }: Lines): Cents {
  return gifts === 0 ? 0 : -gifts;
}

/**
 * The carbon of a part of a gift, proportional to its money and rounded to the nearest ten-thousandth of a pound.
 * Computed for the sum refunded so far, so that the parts of a gift add up to exactly all of it.
 * @param carbon of the whole gift, in ten-thousandths of a pound
 */
export function carbonOfPart(carbon: number, part: Cents, whole: Cents): number {
  if (whole <= 0) return 0;
  const scaled = BigInt(carbon) * BigInt(part) * 2n + BigInt(whole);
  return Number(scaled / (2n * BigInt(whole)));
}

/** Names of entries in a treasurer's files. */
export const ENTRY_TITLES: Readonly<Record<LedgerKind, string>> = {
  payment: 'Gift',
  renewal: 'Recurring gift',
  check: 'Check',
  fee: 'Card processing fee',
  refund: 'Refund',
  reversal: 'Refund returned',
  dispute: 'Dispute',
  payout: 'Payout to the bank',
  adjustment: 'Adjustment',
  commitment: 'Grant promised',
  grant: 'Grant',
};
