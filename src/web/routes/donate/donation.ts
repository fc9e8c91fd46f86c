import type { BodyInput } from '#contract/schemas.ts';
import { type CoveredFee, chargeFailure, NO_COVERED_FEE } from '#domain/card-fee.ts';
import { type CartItem, donationItem, MAX_CHECKOUT } from '#domain/cart.ts';
import { Failure } from '#domain/failures.ts';
import { formatCents } from '#domain/money.ts';
import { emailFailure, nameFailure } from '#domain/profile.ts';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { parseDollars } from '#web/ui/parse-number.ts';
import type { Recurrence } from '#web/ui/recurrence-select.tsx';

const MAX_DOLLARS = Math.floor(MAX_CHECKOUT / 100);

export type ParsedDollars =
  | { readonly kind: 'dollars'; readonly dollars: number }
  | { readonly kind: 'problem'; readonly problem: string };

export type Donation =
  | { readonly kind: 'item'; readonly item: CartItem }
  | { readonly kind: 'problem'; readonly problem: string };

/** Parses whole dollars (§5), such as "1,000" or "$50.00". */
export function parseWholeDollars(text: string): ParsedDollars {
  const dollars = parseDollars(text);
  if (dollars === 'blank' || dollars === 0) return toProblem(new Failure('no-amount'));
  if (dollars === 'unclear' || dollars < 1 || (Number.isFinite(dollars) && !Number.isInteger(dollars))) {
    return toProblem(new Failure('amount-not-whole-dollars'));
  }
  if (dollars > MAX_DOLLARS) return toProblem(new Failure('cart-above-maximum', { max: formatCents(MAX_CHECKOUT) }));
  return { kind: 'dollars', dollars };
}

/** A donation for the cart, which may contain other items. */
export function parseDonation(amount: string, { recurring, interval }: Recurrence): Donation {
  const result = parseWholeDollars(amount);
  if (result.kind === 'problem') return result;
  return { kind: 'item', item: donationItem(result.dollars, recurring, interval) };
}

/** A donation that is checked out alone, so it has to meet the minimum (§5). The provider also charges the covered fee. */
export function parseDirectDonation(
  amount: string,
  recurrence: Recurrence,
  coveredFee: CoveredFee = NO_COVERED_FEE,
): Donation {
  const donation = parseDonation(amount, recurrence);
  const failure = donation.kind === 'item' ? chargeFailure([donation.item], coveredFee) : undefined;
  return failure ? toProblem(failure) : donation;
}

function toProblem(failure: Failure): { kind: 'problem'; problem: string } {
  return { kind: 'problem', problem: failure.message };
}

export const PLEDGE_FIELDS = ['name', 'email', 'amount'] as const;
export type PledgeField = (typeof PLEDGE_FIELDS)[number];
export type PledgeForm = Readonly<Record<PledgeField, string>>;

/** Parses the form. @returns the pledge, or the form's problems */
export function parsePledge(form: PledgeForm): {
  readonly pledge?: BodyInput<'pledgeCheck'>;
  readonly problems: Readonly<Partial<Record<PledgeField, string>>>;
} {
  const name = form.name.trim();
  const email = form.email.trim();
  const amount = parseWholeDollars(form.amount);
  const nameProblem = nameFailure(name);
  const emailProblem = emailFailure(email);
  if (!nameProblem && !emailProblem && amount.kind === 'dollars') {
    return { pledge: { name, email, amount: amount.dollars }, problems: {} };
  }
  const amountProblem = amount.kind === 'problem' ? amount.problem : undefined;
  return { problems: problemsByField({ name: nameProblem, email: emailProblem, amount: amountProblem }) };
}
