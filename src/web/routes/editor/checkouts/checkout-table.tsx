import type { ListedGift } from '#contract/schemas/checkout-records.ts';
import { startOfDay } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { EmailText } from '#web/ui/email-text.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Table } from '#web/ui/table.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import type { OpenGift, Sorting } from '../checkout-view.ts';
import { describeCart, getPayerName, getPaymentLabel, PLEDGE_LABELS } from '../treasury-labels.ts';
import styles from '../two-line-cell.module.css';
import { useDates } from '../use-dates.ts';
import { isCheck, isRenewal } from './checkout-queries.ts';

type CheckoutTableProps = {
  gifts: readonly ListedGift[];
  sorting: Sorting;
  getGiftUrl: (gift: OpenGift) => string;
  getSortingUrl: (sorting: Sorting) => string;
};

/** Table of gifts (§2): payments, attempts, and checks. */
export function CheckoutTable({ gifts, sorting, getGiftUrl, getSortingUrl }: CheckoutTableProps) {
  const toRow = useGiftRow();
  const getSort = (sort: Sorting['sort']) => {
    const isCurrent = sorting.sort === sort;
    const order = isCurrent && sorting.order === 'desc' ? 'asc' : 'desc';
    return { order: isCurrent ? sorting.order : undefined, to: getSortingUrl({ sort, order }) };
  };
  return (
    <Table
      caption="Checkouts"
      rows={gifts.map(toRow)}
      hasRowLinks
      columns={[
        {
          heading: 'Cart',
          kind: 'title',
          cell: ({ donor, text }) => (
            <>
              <span className={styles.primary}>
                <EmailText>{donor}</EmailText>
              </span>
              <span className={styles.secondary}>{text}</span>
            </>
          ),
        },
        {
          heading: 'Date',
          kind: 'detail',
          sort: getSort('date'),
          cell: ({ time, date }) => <time dateTime={time}>{date}</time>,
        },
        {
          heading: 'Status',
          kind: 'status',
          cell: ({ status: { label, tone } }) => <StatusMark tone={tone}>{label}</StatusMark>,
        },
        { heading: 'Donation', kind: 'amount', sort: getSort('amount'), cell: ({ amount }) => amount },
        {
          heading: 'Info',
          kind: 'action',
          cell: ({ gift, donor, amount, date }) => (
            <Link to={getGiftUrl(gift)} keepScroll aria-current="false">
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
  const { formatDate, zone } = useDates();
  return (gift: ListedGift) => {
    if (isCheck(gift)) {
      const { id, name, amount, receivedAmount, receivedOn, checkNumber, status, createdTimestamp } = gift;
      const time = receivedOn === null ? createdTimestamp : startOfDay(receivedOn, zone).toISOString();
      return {
        id,
        gift: { kind: 'check', id } as const,
        donor: name ?? 'Deleted account',
        text: describeCheck(checkNumber, receivedOn),
        time,
        date: formatDate(time),
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
      donor: getPayerName(gift),
      text: isRenewal(gift) ? `${describeCart(cart)}, renewal` : describeCart(cart),
      time: createdTimestamp,
      date: formatDate(createdTimestamp),
      status: getPaymentLabel(gift),
      amount: formatDollars(total),
    };
  };
}

function describeCheck(number: string | null, receivedOn: string | null): string {
  if (number !== null) return `Check no. ${number}`;
  return receivedOn === null ? 'Pledged check' : 'Check';
}
