import type { CheckoutListed, PastEvent } from '#contract/schemas/checkout-records.ts';
import { recurringSuffix } from '#domain/cart.ts';
import type { PledgeStatus } from '#domain/check.ts';
import type { PaymentStatus } from '#domain/checkout.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import type { Tone } from '#web/ui/list-parts.tsx';
import { listed } from '#web/ui/text.ts';

/** A status as an editor reads it, and how much it asks for a look. */
type Word = { readonly word: string; readonly tone: Tone };

const STATUSES: Readonly<Record<PaymentStatus, Word>> = {
  unpaid: { word: 'Not paid', tone: 'plain' },
  processing: { word: 'Debit under way', tone: 'waiting' },
  paid: { word: 'Paid', tone: 'done' },
  failed: { word: 'Failed', tone: 'wrong' },
  expired: { word: 'Expired', tone: 'plain' },
  refunded: { word: 'Refunded', tone: 'plain' },
  disputed: { word: 'Disputed', tone: 'wrong' },
};

export function statusOf(status: PaymentStatus): Word {
  return STATUSES[status];
}

const CHECKS: Readonly<Record<PledgeStatus, Word>> = {
  pledged: { word: 'Waiting', tone: 'waiting' },
  received: { word: 'Received', tone: 'done' },
  withdrawn: { word: 'Withdrawn', tone: 'plain' },
};

export function checkStatusOf(status: PledgeStatus): Word {
  return CHECKS[status];
}

/** What a cart is about: "Air travel and Donation (recurring: monthly)". */
export function cartWords(cart: CheckoutListed['cart']): string {
  const titles = [...new Set(cart.map(({ title }) => title))];
  const items = cart.map(({ recurring, recurringInterval = 1 }) => ({ recurring, recurringInterval }));
  const recurring = items.find((item) => item.recurring !== 'no');
  const suffix = recurring ? ` ${recurringSuffix(recurring.recurring, recurring.recurringInterval)}` : '';
  return `${listed(titles)}${suffix}`;
}

/** Whether the provider goes on charging for it. */
export function recurs(cart: CheckoutListed['cart']): boolean {
  return cart.some(({ recurring }) => recurring !== 'no');
}

/** Whose a checkout is, as far as it is known. */
export function donorOf({ displayName, email }: Pick<CheckoutListed, 'displayName' | 'email'>): string {
  return displayName || email || 'Unknown donor';
}

const ENTRIES: Readonly<Record<Extract<PastEvent, { kind: 'entry' }>['entryKind'], string>> = {
  payment: 'Payment counted',
  renewal: 'Renewal counted',
  refund: 'Refund counted',
  dispute: 'Dispute counted',
  adjustment: 'Adjustment',
  check: 'Check counted',
};

const OUTCOMES = { recorded: 'recorded', ignored: 'of no consequence', refused: 'refused' } as const;

/** What happened to a checkout, in a few words, and what there is to say about it. */
export function pastWords(past: PastEvent): { readonly what: string; readonly detail: string } {
  switch (past.kind) {
    case 'opened':
      return { what: 'Checkout opened', detail: '' };
    case 'entry':
      return { what: ENTRIES[past.entryKind], detail: entryDetail(past) };
    case 'receipt':
      return { what: `Receipt no. ${past.number} issued`, detail: past.email ?? 'without an address' };
    case 'mail':
      return { what: `Receipt no. ${past.number} mailed`, detail: '' };
    case 'report':
      return {
        what: 'The payment provider reported',
        detail: [past.type, OUTCOMES[past.outcome], past.reason].filter(Boolean).join(' · '),
      };
  }
}

function entryDetail({ amount, carbon, reason }: Extract<PastEvent, { kind: 'entry' }>): string {
  const pounds = carbon === 0 ? undefined : `${formatPounds(carbon)} lbs`;
  return [formatDollars(amount), pounds, reason].filter(Boolean).join(' · ');
}
