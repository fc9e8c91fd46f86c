import { useState } from 'react';
import type { ListedCheckout, PaymentRecord } from '#contract/schemas/checkout-records.ts';
import { reasonFailure } from '#domain/books.ts';
import { formFailure } from '#domain/form-failures.ts';
import { formatCents, formatDollars } from '#domain/money.ts';
import { ApiProblem } from '#web/api/api-error.ts';
import { retryDuringOutage } from '#web/api/retry-during-outage.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { describeAmountProblem, parseAmount } from '../checks/check-form.ts';
import { AmountField, ReasonField } from '../payment-fields.tsx';
import { getPayerName, isRecurring } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';

type RefundForm = { readonly amount: string; readonly reason: string };
const FIELDS: readonly (keyof RefundForm)[] = ['amount', 'reason'];

type RefundDialogProps = { orgId: string; checkout: ListedCheckout; payment: PaymentRecord; onClose: () => void };

export function RefundDialog({ orgId, checkout, payment, onClose }: RefundDialogProps) {
  const remaining = Math.round(payment.refundable * 100);
  const { formatDate } = useDates();
  // Retrying an attempt with an unknown outcome uses the same id, so that the refund is made only once.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID());
  const form = useForm<RefundForm, keyof RefundForm>({
    initial: { amount: (remaining / 100).toFixed(2), reason: '' },
    fields: FIELDS,
    validate: ({ amount: text, reason }) =>
      problemsByField({ amount: findAmountProblem(text, remaining), reason: reasonFailure(reason) }),
  });
  const { values } = form;
  const amount = parseAmount(values.amount);
  const refundPayment = useRefundPayment(orgId, checkout.id);
  const refund = async () => {
    try {
      const reason = values.reason.trim();
      await refundPayment({ requestid: requestId, entryid: payment.entryid, amount: amount ?? 0, reason });
    } catch (error) {
      if (isRejected(error)) setRequestId(crypto.randomUUID());
      throw error;
    }
    onClose();
  };
  return (
    <FormDialog
      title="Refund payment"
      confirmLabel={amount === undefined ? 'Refund' : `Refund ${formatDollars(amount)}`}
      destructive
      form={form}
      onSubmit={refund}
      onClose={onClose}
    >
      <p>
        {getPayerName(checkout)} gave {formatDollars(payment.amount)} on {formatDate(payment.chargedTimestamp)}. A
        refund goes back to the same card or bank account. It is subtracted from the totals once the card processor
        makes it. The receipt gets a note
        {checkout.email === null ? '' : ', and the donor gets an email'}. The card processor keeps its fee. This can’t
        be undone.
      </p>
      {isRecurring(checkout.cart) && <p>This refunds one payment. It doesn’t stop the recurring gift.</p>}
      <AmountField hint={`At most ${formatCents(remaining)}.`} form={form} />
      <ReasonField hint="Editors can see it." form={form} />
    </FormDialog>
  );
}

type RefundRequest = {
  readonly requestid: string;
  readonly entryid: string;
  readonly amount: number;
  readonly reason: string;
};

function useRefundPayment(orgId: string, checkoutId: string) {
  const api = useApi();
  const toast = useToast();
  return async (body: RefundRequest) => {
    const { recorded } = await retryDuringOutage(() =>
      api.call('refundPayment', { params: { orgid: orgId, checkoutid: checkoutId }, body }),
    );
    const amount = formatDollars(body.amount);
    toast(recorded ? `Refunding ${amount}` : `Refunding ${amount}. It will appear here within minutes.`);
  };
}

function findAmountProblem(text: string, remaining: number): string | undefined {
  const dollars = parseAmount(text);
  if (dollars === undefined) return describeAmountProblem(text);
  const isTooMuch = Math.round(dollars * 100) > remaining;
  return isTooMuch ? formFailure('refund-too-much', { left: formatCents(remaining) }).message : undefined;
}

/** @returns whether the request was definitely rejected, so nothing was refunded */
function isRejected(error: unknown): boolean {
  return error instanceof ApiProblem && error.status < 500 && error.code !== 'refund-changed';
}
