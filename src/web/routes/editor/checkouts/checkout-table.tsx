import type { ListedGift } from '#contract/schemas/checkout-records.ts';
import { startOfDay } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Table } from '#web/ui/table.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { cartText, donorName, PLEDGE_LABELS, paymentLabel } from '../treasury-labels.ts';
import styles from '../two-line-cell.module.css';
import { useDates } from '../use-dates.ts';
import { isCheck, isRenewal } from './checkout-queries.ts';
import type { OpenGift, Sorting } from './checkout-view.ts';

type CheckoutTableProps = {
  gifts: readonly ListedGift[];
  sorting: Sorting;
  addressOfGift: (gift: OpenGift) => string;
  addressOfSorting: (sorting: Sorting) => string;
};

/** The table of §2, with payments, attempts, and checks. */
export function CheckoutTable({ gifts, sorting, addressOfGift, addressOfSorting }: CheckoutTableProps) {
  const rowOf = useGiftRow();
  const sortBy = (sort: Sorting['sort']) => {
    const isCurrent = sorting.sort === sort;
    const order = isCurrent && sorting.order === 'desc' ? 'asc' : 'desc';
    return { order: isCurrent ? sorting.order : undefined, to: addressOfSorting({ sort, order }) };
  };
  return (
    <Table
      caption="Checkouts"
      rows={gifts.map(rowOf)}
      keyOf={({ id }) => id}
      hasRowLinks
      columns={[
        {
          heading: 'Cart',
          kind: 'title',
          cell: ({ donor, text }) => (
            <>
              <span className={styles.primary}>{donor}</span>
              <span className={styles.secondary}>{text}</span>
            </>
          ),
        },
        {
          heading: 'Date',
          kind: 'detail',
          sort: sortBy('date'),
          cell: ({ time, date }) => <time dateTime={time}>{date}</time>,
        },
        {
          heading: 'Status',
          kind: 'status',
          cell: ({ status: { label, tone } }) => <StatusMark tone={tone}>{label}</StatusMark>,
        },
        { heading: 'Donation', kind: 'amount', sort: sortBy('amount'), cell: ({ amount }) => amount },
        {
          heading: 'Info',
          kind: 'action',
          cell: ({ gift, donor, amount, date }) => (
            <Link to={addressOfGift(gift)} keepScroll aria-current="false">
              Info
              <VisuallyHidden>
                : {donor}, {amount}, {date}
              </VisuallyHidden>
            </Link>
          ),
        },
      ]}
    />
  );
}

/** Formats the texts of a row. A check is dated by its receipt or, before that, its pledge. */
function useGiftRow() {
  const { dateText, zone } = useDates();
  return (gift: ListedGift) => {
    if (isCheck(gift)) {
      const { id, name, amount, receivedAmount, receivedOn, checkNumber, status, createdTimestamp } = gift;
      const time = receivedOn === null ? createdTimestamp : startOfDay(receivedOn, zone).toISOString();
      return {
        id,
        gift: { kind: 'check', id } as const,
        donor: name ?? 'Deleted account',
        text: checkText(checkNumber, receivedOn),
        time,
        date: dateText(time),
        status: PLEDGE_LABELS[status],
        amount: formatDollars(receivedAmount ?? amount),
      };
    }
    const { id, cart, total, createdTimestamp } = gift;
    return {
      id,
      gift: isRenewal(gift)
        ? ({ kind: 'card', id: gift.checkoutid, paymentEntryId: id } as const)
        : ({ kind: 'card', id } as const),
      donor: donorName(gift),
      text: isRenewal(gift) ? `${cartText(cart)}, renewal` : cartText(cart),
      time: createdTimestamp,
      date: dateText(createdTimestamp),
      status: paymentLabel(gift),
      amount: formatDollars(total),
    };
  };
}

function checkText(number: string | null, receivedOn: string | null): string {
  if (number !== null) return `Check no. ${number}`;
  return receivedOn === null ? 'Pledged check' : 'Check';
}
