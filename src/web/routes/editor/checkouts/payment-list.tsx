import { useLayoutEffect, useRef } from 'react';
import type { PaymentRecord } from '#contract/schemas/checkout-records.ts';
import { formatCents, formatDollars } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button } from '#web/ui/button.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { payoutsUrl } from '../books/route.ts';
import { describeReturn, getChargeLabel } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';
import styles from './payment-list.module.css';

type PaymentListProps = {
  orgId: string;
  payments: readonly PaymentRecord[];
  /** Ledger entry of the payment to highlight and scroll to. */
  highlightedEntryId?: string | undefined;
  /** Undefined for roles that can't refund payments. */
  onRefund: ((payment: PaymentRecord) => void) | undefined;
};

/** Charges of a checkout with their status, fees, and refunds. */
export function PaymentList({ orgId, payments, highlightedEntryId, onRefund }: PaymentListProps) {
  return (
    <ul className={styles.payments}>
      {payments.map((payment) => (
        <Payment
          key={payment.entryid}
          orgId={orgId}
          payment={payment}
          isHighlighted={payments.length > 1 && payment.entryid === highlightedEntryId}
          onRefund={onRefund}
        />
      ))}
    </ul>
  );
}

type PaymentProps = Pick<PaymentListProps, 'orgId' | 'onRefund'> & { payment: PaymentRecord; isHighlighted: boolean };

function Payment({ orgId, payment, isHighlighted, onRefund }: PaymentProps) {
  const element = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (isHighlighted) element.current?.scrollIntoView({ block: 'center' });
  }, [isHighlighted]);
  const { formatDate } = useDates();
  const { amount, coveredFee, chargedTimestamp, fee, net, refunded, payoutId, returns } = payment;
  const { label, tone } = getChargeLabel(payment);
  const date = formatDate(chargedTimestamp);
  const details = [
    ...(coveredFee === 0 ? [] : [`Includes ${formatDollars(coveredFee)} to cover the card fee`]),
    fee === null ? 'Fee not known yet' : `Fee ${formatDollars(fee)}`,
    ...(refunded === 0 ? [] : [`Returned ${formatDollars(refunded)}`]),
    // Net of refunds, as in the sums above the list.
    ...(net === null ? [] : [`Net ${formatCents(Math.round(net * 100) - Math.round(refunded * 100))}`]),
  ];
  return (
    <li ref={element} aria-current={isHighlighted ? 'true' : undefined}>
      <div className={styles.paid}>
        <strong>{formatDollars(amount)}</strong>
        <time dateTime={chargedTimestamp}>{date}</time>
        <StatusMark tone={tone}>{label}</StatusMark>
      </div>
      <small>
        {details.join(' · ')}
        {payoutId !== null && (
          <>
            {' · '}
            <Link to={payoutsUrl(orgId, { line: payoutId })}>Payout {payoutId}</Link>
          </>
        )}
      </small>
      {returns.map((paymentReturn) => {
        const { title, detail } = describeReturn(paymentReturn, formatDate);
        return (
          <p key={`${paymentReturn.kind} ${paymentReturn.at} ${title}`} className={styles.returned}>
            {title}
            {detail !== '' && <small>{detail}</small>}
          </p>
        );
      })}
      {onRefund && payment.refundable > 0 && payment.isSample && (
        <p className={styles.returned}>
          This gift came with the demo, so the card processor doesn’t know it and can’t refund it.
        </p>
      )}
      {onRefund && payment.refundable > 0 && !payment.isSample && (
        <Button kind="outline" className={styles.refund} onClick={() => onRefund(payment)}>
          Refund
          <VisuallyHidden>
            : {formatDollars(amount)}, {date}
          </VisuallyHidden>
        </Button>
      )}
    </li>
  );
}
