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
  openEntryId?: string | undefined;
  /** Undefined for roles that can't refund payments. */
  onRefund: ((payment: PaymentRecord) => void) | undefined;
};

/** Charges of a checkout with their status, fees, and refunds. */
export function PaymentList({ orgId, payments, openEntryId, onRefund }: PaymentListProps) {
  return (
    <ul className={styles.payments}>
      {payments.map((payment) => (
        <Payment
          key={payment.entryid}
          orgId={orgId}
          payment={payment}
          isOpen={payments.length > 1 && payment.entryid === openEntryId}
          onRefund={onRefund}
        />
      ))}
    </ul>
  );
}

type PaymentProps = Pick<PaymentListProps, 'orgId' | 'onRefund'> & { payment: PaymentRecord; isOpen: boolean };

function Payment({ orgId, payment, isOpen, onRefund }: PaymentProps) {
  const element = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (isOpen) element.current?.scrollIntoView({ block: 'center' });
  }, [isOpen]);
  const { formatDate } = useDates();
  const { amount, coveredFee, chargedTimestamp, fee, net, refunded, payoutId, returns } = payment;
  const { label, tone } = getChargeLabel(payment);
  const date = formatDate(chargedTimestamp);
  const details = [
    ...(coveredFee === 0 ? [] : [`${formatDollars(coveredFee)} of it added to cover the card fee`]),
    fee === null ? 'Fee not known yet' : `Fee ${formatDollars(fee)}`,
    ...(refunded === 0 ? [] : [`Returned ${formatDollars(refunded)}`]),
    // Net of refunds, as in the sums above the list.
    ...(net === null ? [] : [`Net ${formatCents(Math.round(net * 100) - Math.round(refunded * 100))}`]),
  ];
  return (
    <li ref={element} aria-current={isOpen ? 'true' : undefined}>
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
      {returns.map((each) => {
        const { title, detail } = describeReturn(each, formatDate);
        return (
          <p key={`${each.kind} ${each.at} ${title}`} className={styles.returned}>
            {title}
            {detail !== '' && <small>{detail}</small>}
          </p>
        );
      })}
      {onRefund && payment.refundable > 0 && (
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
