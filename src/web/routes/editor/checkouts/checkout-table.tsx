import type { ListedCheckout } from '#contract/schemas/checkout-records.ts';
import { formatDollars } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Table } from '#web/ui/table.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from '../treasury.module.css';
import { cartText, checkoutLabel, donorOf } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';

type CheckoutTableProps = {
  checkouts: readonly ListedCheckout[];
  onOpen: (checkout: ListedCheckout) => void;
};

/** The table of §2. */
export function CheckoutTable({ checkouts, onOpen }: CheckoutTableProps) {
  const { dateText } = useDates();
  return (
    <Table
      caption="Checkouts, newest first"
      rows={checkouts}
      keyOf={({ id }) => id}
      columns={[
        { heading: 'Cart', kind: 'title', cell: (checkout) => <CartAndDonor checkout={checkout} /> },
        {
          heading: 'Date',
          kind: 'detail',
          cell: ({ createdTimestamp }) => <time dateTime={createdTimestamp}>{dateText(createdTimestamp)}</time>,
        },
        { heading: 'Status', kind: 'status', cell: (checkout) => <CheckoutStatus checkout={checkout} /> },
        { heading: 'Donation', kind: 'amount', cell: ({ total }) => formatDollars(total) },
        {
          heading: 'Info',
          kind: 'action',
          cell: (checkout) => (
            <Button kind="outline" onClick={() => onOpen(checkout)}>
              Info
              <VisuallyHidden>
                : {donorOf(checkout)}, {formatDollars(checkout.total)}, {dateText(checkout.createdTimestamp)}
              </VisuallyHidden>
            </Button>
          ),
        },
      ]}
    />
  );
}

function CartAndDonor({ checkout: { cart, displayName, email } }: { checkout: ListedCheckout }) {
  const donor = displayName ?? email;
  return (
    <>
      <span className={styles.what}>{cartText(cart)}</span>
      {donor && <span className={styles.who}>{donor}</span>}
    </>
  );
}

function CheckoutStatus({ checkout }: { checkout: ListedCheckout }) {
  const { label, tone } = checkoutLabel(checkout);
  return <StatusMark tone={tone}>{label}</StatusMark>;
}
