import type { CheckoutListed } from '#contract/schemas/checkout-records.ts';
import { formatDollars } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyNote, StatusMark } from '#web/ui/list-parts.tsx';
import { dayText } from '#web/ui/text.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from '../treasury.module.css';
import { cartWords, donorOf, statusOf } from '../treasury-words.ts';

type CheckoutTableProps = {
  checkouts: readonly CheckoutListed[];
  onOpen: (checkout: CheckoutListed) => void;
};

/** The table of §2, which on a phone is a card for each checkout. */
export function CheckoutTable({ checkouts, onOpen }: CheckoutTableProps) {
  if (checkouts.length === 0) return <EmptyNote>No checkouts found.</EmptyNote>;
  return (
    <table className={styles.table}>
      <caption>
        <VisuallyHidden>Checkouts, newest first</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">Cart</th>
          <th scope="col">Date</th>
          <th scope="col">Status</th>
          <th scope="col" className={styles.number}>
            Donation
          </th>
          <th scope="col">Info</th>
        </tr>
      </thead>
      <tbody>
        {checkouts.map((checkout) => (
          <CheckoutRow key={checkout.id} checkout={checkout} onOpen={() => onOpen(checkout)} />
        ))}
      </tbody>
    </table>
  );
}

function CheckoutRow({ checkout, onOpen }: { checkout: CheckoutListed; onOpen: () => void }) {
  const { cart, createdTimestamp, paymentStatus, total, displayName, email } = checkout;
  const { word, tone } = statusOf(paymentStatus);
  const donor = displayName ?? email;
  return (
    <tr>
      <td className={styles.cart}>
        <span className={styles.what}>{cartWords(cart)}</span>
        {donor && <span className={styles.who}>{donor}</span>}
      </td>
      <td className={styles.date}>
        <time dateTime={createdTimestamp}>{dayText(createdTimestamp)}</time>
      </td>
      <td className={styles.state}>
        <StatusMark tone={tone}>{word}</StatusMark>
      </td>
      <td className={styles.number}>{formatDollars(total)}</td>
      <td className={styles.info}>
        <Button kind="outline" onClick={onOpen}>
          Info
          <VisuallyHidden>
            : {donorOf(checkout)}, {formatDollars(total)}, {dayText(createdTimestamp)}
          </VisuallyHidden>
        </Button>
      </td>
    </tr>
  );
}
