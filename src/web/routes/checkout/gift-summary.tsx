import type { Checkout } from '#contract/schemas/checkouts.ts';
import { cartCarbon, recurringSuffix } from '#domain/cart.ts';
import { chargeOf, formatCents, formatPounds, poundsOf } from '#domain/money.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import styles from './checkout.module.css';
import { type CheckoutStage, isGiven } from './checkout-stage.ts';

type Item = Checkout['cart'][number];

const STANDINGS: Readonly<Record<CheckoutStage, string>> = {
  confirming: 'Not confirmed yet',
  processing: 'Bank debit under way',
  asking: 'Paid',
  over: 'Paid',
  failed: 'Not charged',
  expired: 'Not charged',
  refunded: 'Refunded',
  disputed: 'Disputed',
};

/** What the checkout is made of, what it comes to, and how the payment stands. Shown in every stage. */
export function GiftSummary({ checkout, stage }: { checkout: Checkout; stage: CheckoutStage }) {
  const { cart, total } = checkout;
  const carbon = cartCarbon(cart);
  return (
    <section className={styles.giftSummarySummary} aria-labelledby="gift-summary">
      <div className={styles.head}>
        <h2 id="gift-summary">{stage === 'failed' || stage === 'expired' ? 'Your cart' : 'Your gift'}</h2>
        <p className={isGiven(stage) ? styles.paid : styles.standing}>
          {isGiven(stage) && <Icon name="check" size={16} />}
          {STANDINGS[stage]}
        </p>
      </div>
      <ul>
        {cart.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a paid cart never changes
          <GiftItem key={index} item={item} />
        ))}
      </ul>
      <dl className={styles.sums}>
        <div className={styles.total}>
          <dt>Total</dt>
          <dd>{formatCents(chargeOf(total))}</dd>
        </div>
        {carbon > 0 && (
          <div className={styles.pounds}>
            <dt>Carbon offset</dt>
            <dd>{formatPounds(poundsOf(carbon))} lbs</dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function GiftItem({ item }: { item: Item }) {
  const { title, description, type, cost, carbon, recurring, recurringInterval } = item;
  const suffix = recurringSuffix(recurring, recurringInterval);
  return (
    <li className={styles.item}>
      <span className={styles.icon}>
        <Icon name={iconOf(item)} />
      </span>
      <div>
        <p className={styles.title}>
          {title} {suffix && <span className={styles.suffix}>{suffix}</span>}
        </p>
        <p className={styles.carbon}>{type === 'offset' ? `${formatPounds(carbon)} lbs carbon` : description}</p>
      </div>
      <p className={styles.cost}>{formatCents(chargeOf(cost))}</p>
    </li>
  );
}

function iconOf({ type, offsetType }: Item): IconName {
  if (type === 'donation') return 'gift';
  if (offsetType === 'air') return 'plane';
  return offsetType === 'car' ? 'car' : 'home';
}
