import { useState } from 'react';
import type { PaymentRecord } from '#contract/schemas/checkout-records.ts';
import { reasonFailure } from '#domain/books.ts';
import { formFailure } from '#domain/form-failures.ts';
import { formatCents, formatDollars } from '#domain/money.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { useForm } from '#web/api/use-form.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { amountProblem, typedAmount } from '../checks/check-form.ts';
import { AmountField, ReasonField } from '../payment-fields.tsx';
import { useDates } from '../use-dates.ts';

export type RefundRequest = {
  readonly requestid: string;
  readonly entryid: string;
  readonly amount: number;
  readonly reason: string;
};

export type RefundPayment = (request: RefundRequest) => Promise<void>;

/** Refundable cents; zero for a disputed payment. */
export function refundable({ amount, refunded, status }: PaymentRecord): number {
  return status === 'succeeded' ? Math.round((amount - refunded) * 100) : 0;
}

type RefundForm = { readonly amount: string; readonly reason: string };
const FIELDS: readonly (keyof RefundForm)[] = ['amount', 'reason'];

type RefundDialogProps = {
  payment: PaymentRecord;
  donor: string;
  recurring: boolean;
  /** True if the donor's email is known. */
  mailed: boolean;
  onRefund: RefundPayment;
  onClose: () => void;
};

export function RefundDialog({ payment, donor, recurring, mailed, onRefund, onClose }: RefundDialogProps) {
  const left = refundable(payment);
  const { dateText } = useDates();
  // The same id for every try whose end is not known, so that the refund is made once.
  const [requestid, renew] = useState(() => crypto.randomUUID());
  const form = useForm<RefundForm, keyof RefundForm>({
    initial: { amount: (left / 100).toFixed(2), reason: '' },
    fields: FIELDS,
    problemsOf: (typed) => problemsOf(typed, left),
  });
  const { values, submit, busy, problem } = form;
  const amount = typedAmount(values.amount);
  const refund = async () => {
    try {
      await onRefund({ requestid, entryid: payment.entryid, amount: amount ?? 0, reason: values.reason.trim() });
    } catch (error) {
      if (wasRefused(error)) renew(crypto.randomUUID());
      throw error;
    }
  };
  return (
    <FormDialog
      title="Refund payment"
      confirm={amount === undefined ? 'Refund' : `Refund ${formatDollars(amount)}`}
      destructive
      busy={busy}
      problem={problem}
      onSubmit={() => void submit(refund)}
      onClose={onClose}
    >
      <p>
        {donor} gave {formatDollars(payment.amount)} on {dateText(payment.chargedTimestamp)}. A refund goes back to the
        same card or bank account, and leaves the totals at once. Once it is made, the receipt gets a note
        {mailed ? ', and the donor an email' : ''}. The card processor keeps its fee. This can’t be undone.
      </p>
      {recurring && <p>This refunds one payment. It doesn’t stop the recurring gift.</p>}
      <AmountField hint={`At most ${formatCents(left)}.`} form={form} />
      <ReasonField hint="Editors can see it." form={form} />
    </FormDialog>
  );
}

function problemsOf({ amount, reason }: RefundForm, left: number) {
  const dollars = typedAmount(amount);
  const isTooMuch = dollars !== undefined && Math.round(dollars * 100) > left;
  const wrongAmount = isTooMuch
    ? formFailure('refund-too-much', { left: formatCents(left) }).message
    : dollars === undefined
      ? amountProblem(amount)
      : undefined;
  const wrongReason = reasonFailure(reason)?.message;
  return {
    ...(wrongAmount === undefined ? {} : { amount: wrongAmount }),
    ...(wrongReason === undefined ? {} : { reason: wrongReason }),
  };
}

/** @returns whether it is certain that nothing was refunded */
function wasRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.status < 500 && error.code !== 'refund-changed';
}
