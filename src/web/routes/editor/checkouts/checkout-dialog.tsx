import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { CheckoutListed, CheckoutRecord } from '#contract/schemas/checkout-records.ts';
import { chargeOf, formatCents, formatDollars, formatPounds } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LatePart, late } from '#web/ui/lazy-part.tsx';
import { Fact, Facts, StatusMark } from '#web/ui/list-parts.tsx';
import { dayText } from '#web/ui/text.ts';
import { numbered } from '../numbered.ts';
import styles from '../treasury.module.css';
import { cartWords, donorOf, recurs, statusOf } from '../treasury-words.ts';
import { CheckoutHistory } from './checkout-history.tsx';

type CheckoutDialogProps = {
  orgid: string;
  checkout: CheckoutListed;
  load: () => Promise<CheckoutRecord>;
  sendReceipt: (entryid: string) => Promise<void>;
  onDelete: () => void;
  onClose: () => void;
};

/** A checkout in detail with all that became of it, and the way to delete it (§2), which is asked once more. */
export function CheckoutDialog({ orgid, checkout, load, sendReceipt, onDelete, onClose }: CheckoutDialogProps) {
  const [record] = useState(() => late(load));
  const [deleting, setDeleting] = useState(false);
  if (deleting) return <DeleteDialog checkout={checkout} onDelete={onDelete} onClose={() => setDeleting(false)} />;
  const footer = (
    <>
      <Button kind="remove" className={styles.aside} onClick={() => setDeleting(true)}>
        <Icon name="trash" /> Delete
      </Button>
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog title={donorOf(checkout)} open onClose={onClose} footer={footer}>
      <LatePart of={record}>{(known) => <Record orgid={orgid} record={known} sendReceipt={sendReceipt} />}</LatePart>
    </Dialog>
  );
}

type RecordProps = Pick<CheckoutDialogProps, 'orgid' | 'sendReceipt'> & { record: CheckoutRecord };

function Record({ orgid, record, sendReceipt }: RecordProps) {
  const { cart, total, carbon, paymentStatus, email, story, history, createdTimestamp } = record;
  const { word, tone } = statusOf(paymentStatus);
  return (
    <>
      <Facts>
        <Fact name="Status">
          <StatusMark tone={tone}>{word}</StatusMark>
        </Fact>
        <Fact name="Donation">
          {formatDollars(total)}
          {carbon > 0 && ` for ${formatPounds(carbon)} lbs carbon`}
        </Fact>
        <Fact name="Date">{dayText(createdTimestamp)}</Fact>
        {email !== null && <Fact name="Email">{email}</Fact>}
        {story && (
          <Fact name="Story">
            <Link to={story.status === 'published' ? story.url : pagePath('review-page', { orgid })}>{story.name}</Link>
            {story.status !== 'published' && ` (${story.status === 'draft' ? 'a draft' : 'hidden'})`}
          </Fact>
        )}
      </Facts>
      <h3 className={styles.subheading}>Cart</h3>
      <ul className={styles.items}>
        {numbered(cart).map(({ number, each: item }) => (
          <li key={number}>
            <span>
              {cartWords([item])} <small>{item.description}</small>
            </span>
            <span>{formatCents(chargeOf(item.cost))}</span>
          </li>
        ))}
      </ul>
      <h3 className={styles.subheading}>History</h3>
      <CheckoutHistory history={history} sendReceipt={sendReceipt} />
      <ProviderIds record={record} />
    </>
  );
}

/** By which a treasurer finds it at the payment provider. */
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
      <summary>Ids, here and at the payment provider</summary>
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

type DeleteDialogProps = Pick<CheckoutDialogProps, 'checkout' | 'onDelete' | 'onClose'>;

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
      <div className={styles.asked}>
        <p>
          The record of {donorOf(checkout)} is taken away for good: the name, the address, and the checkout’s page for
          whoever has its link.
        </p>
        {isCounted && (
          <p>What was given stays in the ledger, and in the stats. A story that was told of it stays, too.</p>
        )}
        {isCounted && recurs(checkout.cart) && (
          <p>
            <strong>It goes on being charged.</strong> A recurring gift is ended at the payment provider.
          </p>
        )}
      </div>
    </ConfirmDialog>
  );
}
