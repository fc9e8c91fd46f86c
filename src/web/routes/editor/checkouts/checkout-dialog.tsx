import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CheckoutRecord, ListedCheckout, PastEvent, PaymentRecord } from '#contract/schemas/checkout-records.ts';
import { chargeOf, formatCents, formatDollars, formatPounds } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Fact, Facts, StatusMark } from '#web/ui/list-parts.tsx';
import { PartStatus } from '#web/ui/part-status.tsx';
import styles from '../treasury.module.css';
import { cartText, checkoutLabel, donorOf, eventText, isRecurring } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';
import { recordQuery } from './checkout-queries.ts';
import { GiftPart } from './gift-part.tsx';
import { PaymentList } from './payment-list.tsx';
import { RefundDialog } from './refund-dialog.tsx';
import { DownloadReceiptButton, SendAgainButton, useSendReceipt } from './send-receipt.tsx';
import { TributePart } from './tribute-part.tsx';

type CheckoutDialogProps = {
  orgId: string;
  checkout: ListedCheckout;
  /** Undefined for roles that may not delete it. */
  onDelete: (() => void) | undefined;
  onClose: () => void;
};

/** A checkout with its history, and a button that deletes it after a confirmation (§2). */
export function CheckoutDialog({ orgId, checkout, onDelete, onClose }: CheckoutDialogProps) {
  const {
    data: record,
    isError,
    refetch,
  } = useQuery({
    ...recordQuery(useApi(), orgId, checkout.id),
    staleTime: 0,
  });
  const [deleting, setDeleting] = useState(false);
  const [refunding, setRefunding] = useState<PaymentRecord>();
  if (refunding) {
    return (
      <RefundDialog orgId={orgId} checkout={checkout} payment={refunding} onClose={() => setRefunding(undefined)} />
    );
  }
  if (deleting && onDelete)
    return <DeleteDialog checkout={checkout} onDelete={onDelete} onClose={() => setDeleting(false)} />;
  const footer = (
    <>
      {onDelete && (
        <Button kind="remove" className={styles.aside} onClick={() => setDeleting(true)}>
          <Icon name="trash" /> Delete
        </Button>
      )}
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog title={donorOf(checkout)} open onClose={onClose} footer={footer}>
      {record ? (
        <Record orgId={orgId} record={record} onRefund={setRefunding} />
      ) : (
        <PartStatus failed={isError} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}

type RecordProps = { orgId: string; record: CheckoutRecord; onRefund: (payment: PaymentRecord) => void };

function Record({ orgId, record, onRefund }: RecordProps) {
  const { cart, total, coveredFee, carbon, payments, email, story, history, createdTimestamp } = record;
  const { recurringGift, tribute } = record;
  const { label, tone } = checkoutLabel(record);
  const can = useCan(orgId);
  const { dateText } = useDates();
  const reviewPath = can('stories.edit') ? pagePath('review-page', { orgid: orgId }) : undefined;
  const storyPath = story?.status === 'published' ? story.url : reviewPath;
  return (
    <>
      <Facts>
        <Fact name="Status">
          <StatusMark tone={tone}>{label}</StatusMark>
        </Fact>
        <Fact name="Donation">
          {formatDollars(total)}
          {carbon > 0 && ` for ${formatPounds(carbon)} lbs carbon`}
        </Fact>
        <Fact name="Date">{dateText(createdTimestamp)}</Fact>
        {email !== null && <Fact name="Email">{email}</Fact>}
        {story && (
          <Fact name="Story">
            {storyPath ? <Link to={storyPath}>{story.name}</Link> : story.name}
            {story.status !== 'published' && ` (${story.status === 'draft' ? 'a draft' : 'hidden'})`}
          </Fact>
        )}
      </Facts>
      <h3 className={styles.subheading}>Cart</h3>
      <ul className={styles.items}>
        {withNumbers(cart).map(({ number, item }) => (
          <li key={number}>
            <span>
              {cartText([item])} <small>{item.description}</small>
            </span>
            <span>{formatCents(chargeOf(item.cost))}</span>
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
          <h3 className={styles.subheading}>{payments.length === 1 ? 'Payment' : 'Payments'}</h3>
          <PaymentList payments={payments} onRefund={can('payments.refund') ? onRefund : undefined} />
        </>
      )}
      {tribute && <TributePart orgId={orgId} checkoutId={record.id} tribute={tribute} />}
      {recurringGift && <GiftPart orgId={orgId} checkoutId={record.id} gift={recurringGift} />}
      <h3 className={styles.subheading}>History</h3>
      <CheckoutHistory orgId={orgId} history={history} />
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
    <details className={styles.ids}>
      <summary>Reference numbers</summary>
      <Facts>
        {ids.map(([name, value]) => (
          <Fact key={name} name={name ?? ''}>
            <code>{value}</code>
          </Fact>
        ))}
      </Facts>
    </details>
  );
}

type DeleteDialogProps = Pick<CheckoutDialogProps, 'checkout' | 'onClose'> & { onDelete: () => void };

function DeleteDialog({ checkout, onDelete, onClose }: DeleteDialogProps) {
  const isCounted = checkout.paymentStatus === 'paid';
  return (
    <ConfirmDialog
      title="Delete checkout"
      confirm="Delete"
      destructive
      busy={false}
      problem={undefined}
      onConfirm={onDelete}
      onClose={onClose}
    >
      <Stack gap={3}>
        <p>This permanently deletes {donorOf(checkout)}’s name, email and thank-you page.</p>
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

type CheckoutHistoryProps = { orgId: string; history: readonly PastEvent[] };

function CheckoutHistory({ orgId, history }: CheckoutHistoryProps) {
  const sendReceipt = useSendReceipt(orgId);
  const canRead = useCan(orgId)('receipts.read');
  const { dateText, momentText } = useDates();
  return (
    <ol className={styles.history}>
      {withNumbers(history).map(({ number, item: event }) => {
        const { title, detail } = eventText(event);
        return (
          <li key={number}>
            <time dateTime={event.at} className={styles.when}>
              {momentText(event.at)}
            </time>
            <span className={styles.event}>
              {title}
              {detail !== '' && <small>{detail}</small>}
              {event.kind === 'entry' && event.datedTimestamp !== null && (
                <small>Dated {dateText(event.datedTimestamp)}, booked later because that month was closed.</small>
              )}
            </span>
            {event.kind === 'receipt' && (
              <span className={styles.receipt}>
                {canRead && <DownloadReceiptButton orgId={orgId} entryId={event.entryid} number={event.number} />}
                {event.email !== null && sendReceipt && (
                  <SendAgainButton number={event.number} onSend={() => sendReceipt(event.entryid)} />
                )}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** A key for items that are never reordered and may be equal. */
function withNumbers<T>(items: readonly T[]): { readonly number: number; readonly item: T }[] {
  return items.map((item, number) => ({ number, item }));
}
