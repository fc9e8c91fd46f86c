import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CheckoutListed, CheckoutRecord, PastEvent, PaymentRecord } from '#contract/schemas/checkout-records.ts';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { chargeOf, formatCents, formatDollars, formatPounds } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { LazyPart, lazyModule } from '#web/ui/lazy-part.tsx';
import { Fact, Facts, StatusMark } from '#web/ui/list-parts.tsx';
import styles from '../treasury.module.css';
import { cartText, checkoutLabel, donorOf, eventText, isRecurring } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';
import { GiftPart } from './gift-part.tsx';
import { PaymentList } from './payment-list.tsx';
import { RefundDialog, type RefundPayment } from './refund-dialog.tsx';
import { DownloadReceiptButton, SendAgainButton, type SendReceipt } from './send-receipt.tsx';
import { TributePart } from './tribute-part.tsx';

type CheckoutDialogProps = {
  orgid: string;
  checkout: CheckoutListed;
  load: () => Promise<CheckoutRecord>;
  sendReceipt: SendReceipt | undefined;
  /** Undefined for those who may not refund. */
  onRefund: RefundPayment | undefined;
  /** Stops its recurring gift. Undefined for those who may not. */
  onStop: (() => Promise<RecurringGift>) | undefined;
  /** Undefined for those who may not delete it. */
  onDelete: (() => void) | undefined;
  onClose: () => void;
};

/** A checkout with its history, and a button that deletes it after a confirmation (§2). */
export function CheckoutDialog(props: CheckoutDialogProps) {
  const { orgid, checkout, load, sendReceipt, onRefund, onStop, onDelete, onClose } = props;
  const [record, setRecord] = useState(() => lazyModule(load));
  const [deleting, setDeleting] = useState(false);
  const [refunding, setRefunding] = useState<PaymentRecord>();
  if (refunding && onRefund) {
    const refund: RefundPayment = async (request) => {
      await onRefund(request);
      setRecord(lazyModule(load));
      setRefunding(undefined);
    };
    return (
      <RefundDialog
        payment={refunding}
        donor={donorOf(checkout)}
        recurring={isRecurring(checkout.cart)}
        mailed={checkout.email !== null}
        onRefund={refund}
        onClose={() => setRefunding(undefined)}
      />
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
      <LazyPart module={record}>
        {(loaded) => (
          <Record
            orgid={orgid}
            record={loaded}
            sendReceipt={sendReceipt}
            onRefund={onRefund && setRefunding}
            onStop={onStop}
          />
        )}
      </LazyPart>
    </Dialog>
  );
}

type RecordProps = Pick<CheckoutDialogProps, 'orgid' | 'sendReceipt' | 'onStop'> & {
  record: CheckoutRecord;
  onRefund: ((payment: PaymentRecord) => void) | undefined;
};

function Record({ orgid, record, sendReceipt, onRefund, onStop }: RecordProps) {
  const { cart, total, coveredFee, carbon, payments, email, story, history, createdTimestamp } = record;
  const { recurringGift, tribute } = record;
  const { label, tone } = checkoutLabel(record);
  const can = useCan(orgid);
  const { dateText } = useDates();
  const reviewPath = can('stories.edit') ? pagePath('review-page', { orgid }) : undefined;
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
        {numbered(cart).map(({ number, each: item }) => (
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
          <PaymentList payments={payments} onRefund={onRefund} />
        </>
      )}
      {tribute && <TributePart orgid={orgid} checkoutid={record.id} tribute={tribute} />}
      {recurringGift && <GiftPart gift={recurringGift} onStop={onStop} />}
      <h3 className={styles.subheading}>History</h3>
      <CheckoutHistory orgid={orgid} history={history} sendReceipt={sendReceipt} />
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

type CheckoutHistoryProps = {
  orgid: string;
  history: readonly PastEvent[];
  sendReceipt: SendReceipt | undefined;
};

function CheckoutHistory({ orgid, history, sendReceipt }: CheckoutHistoryProps) {
  const canRead = useCan(orgid)('receipts.read');
  const { dateText, momentText } = useDates();
  return (
    <ol className={styles.history}>
      {numbered(history).map(({ number, each: event }) => {
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
                {canRead && <DownloadReceiptButton orgid={orgid} entryid={event.entryid} number={event.number} />}
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
function numbered<T>(all: readonly T[]): { readonly number: number; readonly each: T }[] {
  return all.map((each, number) => ({ number, each }));
}
