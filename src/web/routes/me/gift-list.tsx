import type { Gift, OwnOffsetter } from '#contract/schemas/users.ts';
import { chargeOf, formatCents, formatPounds } from '#domain/money.ts';
import { Link } from '#web/navigation/link.tsx';
import { dayText } from '#web/ui/day-text.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './gift-list.module.css';
import { statusWord, wayOn, whatOf } from './gift-words.ts';

type GiftListProps = { gifts: readonly Gift[]; offsetters: readonly OwnOffsetter[] };

/** What somebody gave, newest first, in all organisations (decisions §4). */
export function GiftList({ gifts, offsetters }: GiftListProps) {
  return (
    <ul className={styles.gifts}>
      {gifts.map((gift) => (
        <GiftRow
          key={`${gift.checkoutid}.${gift.receiptNumber}.${gift.createdTimestamp}`}
          gift={gift}
          way={wayOn(gift, offsetters)}
        />
      ))}
    </ul>
  );
}

function GiftRow({ gift, way }: { gift: Gift; way: ReturnType<typeof wayOn> }) {
  const { amount, carbon, paymentStatus, receiptNumber, recurring, orgName, createdTimestamp } = gift;
  return (
    <li className={styles.gift}>
      <span className={styles.icon}>
        <Icon name={iconOf(gift)} />
      </span>
      <div className={styles.words}>
        <h3 className={styles.what}>{whatOf(gift)}</h3>
        <ul className={styles.facts}>
          <li>
            <time dateTime={createdTimestamp}>{dayText(createdTimestamp)}</time>
          </li>
          <li>{orgName}</li>
          {carbon > 0 && <li>{formatPounds(carbon)} lbs carbon</li>}
          {recurring && <li>Recurring</li>}
          {receiptNumber !== null && <li>Receipt no. {receiptNumber}</li>}
        </ul>
        {way && (
          <p className={styles.way}>
            <Link to={way.to}>
              {way.label}
              <VisuallyHidden>
                : {whatOf(gift)}, {dayText(createdTimestamp)}
              </VisuallyHidden>
            </Link>
          </p>
        )}
      </div>
      <div className={styles.sum}>
        <p className={styles.amount}>{formatCents(chargeOf(amount))}</p>
        <p className={paymentStatus === 'paid' ? styles.paid : styles.status}>{statusWord(paymentStatus)}</p>
      </div>
    </li>
  );
}

function iconOf({ cart }: Gift): IconName {
  const offset = cart.find(({ type }) => type === 'offset')?.offsetType;
  if (offset === undefined) return 'gift';
  if (offset === 'air') return 'plane';
  return offset === 'car' ? 'car' : 'home';
}
