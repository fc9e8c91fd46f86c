import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CheckoutRecord, ListedCheckout, PaymentRecord } from '#contract/schemas/checkout-records.ts';
import { formatCents, formatDollars, formatPounds, toChargedCents } from '#domain/money.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Detail, DetailList, StatusMark } from '#web/ui/list-parts.tsx';
import { SectionStatus } from '#web/ui/section-status.tsx';
import recordStyles from '../gift-record.module.css';
import { describeCart, getCheckoutLabel, getPayerName, isRecurring } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';
import styles from './checkout-dialog.module.css';
import { recordQuery } from './checkout-queries.ts';
import { DonorDetail } from './donor-detail.tsx';
import { GiftHistory, withNumbers } from './gift-history.tsx';
import { NotesSection } from './notes-section.tsx';
import { PaymentList } from './payment-list.tsx';
import { RecurringGiftSection } from './recurring-gift-section.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { TributeSection } from './tribute-section.tsx';

type CheckoutDialogProps = {
  orgId: string;
  checkoutId: string;
  /** Ledger entry of the payment to highlight. */
  paymentEntryId: string | undefined;
  /** The checkout's row, if the list contains it. */
  row: ListedCheckout | undefined;
  /** Undefined for roles that can't delete checkouts. */
  onDelete: ((checkout: ListedCheckout) => void) | undefined;
  onClose: () => void;
};

/** A checkout with its history, and a button that deletes it after confirmation (§2). */
export function CheckoutDialog({ orgId, checkoutId, paymentEntryId, row, onDelete, onClose }: CheckoutDialogProps) {
  const {
    data: record,
    isError,
    refetch,
  } = useQuery({
    ...recordQuery(useApi(), orgId, checkoutId),
    staleTime: 0,
  });
  const [isDeleting, setIsDeleting] = useState(false);
  const [paymentToRefund, setPaymentToRefund] = useState<PaymentRecord>();
  const checkout = record ?? row;
  const footer = (
    <>
      {/* Rendered once the record has loaded: loading changes the dialog's height, and a click would miss the button. */}
      {onDelete && record && (
        <Button kind="remove" className={recordStyles.aside} onClick={() => setIsDeleting(true)}>
          <Icon name="trash" /> Delete
        </Button>
      )}
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <>
      {/* Rendered before the record's dialog, so that these dialogs close first and the record then restores the focus
           to the list. */}
      {record && paymentToRefund && (
        <RefundDialog
          orgId={orgId}
          checkout={record}
          payment={paymentToRefund}
          onClose={() => setPaymentToRefund(undefined)}
        />
      )}
      {record && isDeleting && onDelete && (
        <DeleteCheckoutDialog
          checkout={record}
          onDelete={() => {
            setIsDeleting(false);
            onDelete(record);
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
      <Dialog title={checkout ? getPayerName(checkout) : 'Checkout'} hasOwnAddress onClose={onClose} footer={footer}>
        {record ? (
          <CheckoutDetails
            orgId={orgId}
            record={record}
            paymentEntryId={paymentEntryId}
            onRefund={setPaymentToRefund}
          />
        ) : (
          <SectionStatus hasFailed={isError} onRetry={() => void refetch()} />
        )}
      </Dialog>
    </>
  );
}

type RecordProps = Pick<CheckoutDialogProps, 'orgId' | 'paymentEntryId'> & {
  record: CheckoutRecord;
  onRefund: (payment: PaymentRecord) => void;
};

function CheckoutDetails({ orgId, record, paymentEntryId, onRefund }: RecordProps) {
  const { cart, total, coveredFee, carbon, payments, email, story, history, createdTimestamp } = record;
  const { recurringGift, tribute } = record;
  const { label, tone } = getCheckoutLabel(record);
  const can = useCan(orgId);
  const { formatDate } = useDates();
  const reviewPath = can('stories.edit') ? pagePath('review-page', { orgid: orgId }) : undefined;
  const storyPath = story?.status === 'published' ? story.url : reviewPath;
  return (
    <>
      <DetailList>
        <Detail name="Status">
          <StatusMark tone={tone}>{label}</StatusMark>
        </Detail>
        <Detail name="Donation">
          {formatDollars(total)}
          {carbon > 0 && ` for ${formatPounds(carbon)} lbs carbon`}
        </Detail>
        <Detail name="Date">{formatDate(createdTimestamp)}</Detail>
        <DonorDetail orgId={orgId} donorId={record.donorid} name={getPayerName(record)} />
        {email !== null && <Detail name="Email">{email}</Detail>}
        {story && (
          <Detail name="Story">
            {storyPath ? <Link to={storyPath}>{story.name}</Link> : story.name}
            {story.status !== 'published' && ` (${story.status === 'draft' ? 'a draft' : 'hidden'})`}
          </Detail>
        )}
      </DetailList>
      <h3 className={recordStyles.subheading}>Cart</h3>
      <ul className={recordStyles.items}>
        {withNumbers(cart).map(({ number, item }) => (
          <li key={number}>
            <span>
              {describeCart([item])} <small>{item.description}</small>
            </span>
            <span>{formatCents(toChargedCents(item.cost))}</span>
          </li>
        ))}
        {coveredFee > 0 && (
          <li>
            <span>Added to cover the card fee</span>
            <span>{formatDollars(coveredFee)}</span>
          </li>
        )}
      </ul>
      {payments.length > 0 && (
        <>
          <h3 className={recordStyles.subheading}>{payments.length === 1 ? 'Payment' : 'Payments'}</h3>
          <PaymentList
            orgId={orgId}
            payments={payments}
            highlightedEntryId={paymentEntryId}
            onRefund={can('payments.refund') ? onRefund : undefined}
          />
        </>
      )}
      {tribute && <TributeSection orgId={orgId} checkoutId={record.id} tribute={tribute} />}
      {recurringGift && <RecurringGiftSection orgId={orgId} checkoutId={record.id} gift={recurringGift} />}
      <NotesSection orgId={orgId} giftId={record.id} notes={record.notes} />
      <h3 className={recordStyles.subheading}>History</h3>
      <GiftHistory orgId={orgId} history={history} />
      <ProviderIds record={record} />
    </>
  );
}

function ProviderIds({ record: { id, provider } }: { record: CheckoutRecord }) {
  const ids = [
    ['Checkout', id],
    ['Session', provider.sessionId],
    ['Payment', provider.paymentId],
    ['Customer', provider.customerId],
    ['Subscription', provider.subscriptionId],
  ].filter(([, value]) => value !== null);
  return (
    <Disclosure className={styles.ids} summary="Reference numbers">
      <DetailList>
        {ids.map(([name, value]) => (
          <Detail key={name} name={name ?? ''}>
            <code>{value}</code>
          </Detail>
        ))}
      </DetailList>
    </Disclosure>
  );
}

type DeleteCheckoutDialogProps = { checkout: ListedCheckout; onDelete: () => void; onClose: () => void };

function DeleteCheckoutDialog({ checkout, onDelete, onClose }: DeleteCheckoutDialogProps) {
  const isCounted = checkout.paymentStatus === 'paid';
  return (
    <ConfirmDialog
      title="Delete checkout"
      confirmLabel="Delete"
      destructive
      onConfirm={async () => onDelete()}
      onClose={onClose}
    >
      <Stack gap={3}>
        <p>This permanently deletes {getPayerName(checkout)}’s name, email, and thank-you page.</p>
        {isCounted && (
          <p>The gift stays in the ledger and the totals. Its story is deleted unless the donor gave again.</p>
        )}
        {isCounted && isRecurring(checkout.cart) && (
          <p>The recurring gift ends first, so the donor won’t be charged again.</p>
        )}
      </Stack>
    </ConfirmDialog>
  );
}
