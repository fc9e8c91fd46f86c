import type { Org } from '#contract/schemas/orgs.ts';
import { type CoveredFee, chargeFailure } from '#domain/card-fee.ts';
import { type CartItem, cartCarbon, cartInterval, cartTotal } from '#domain/cart.ts';
import type { Failure } from '#domain/failures.ts';
import { effectSentence, typicalGrantCents } from '#domain/gift-effect.ts';
import { formatCents } from '#domain/money.ts';
import { delayedSavingsSentence } from '#domain/saving-years.ts';
import { describeRenewal, intervalAdjective, selectFirstIntervalItems } from '#domain/validate-cart.ts';
import { m } from '#messages';
import type { CartLine } from '#web/cart/cart-lines.ts';
import { Button } from '#web/ui/button.tsx';
import styles from './cart-tab.module.css';

/** The organization's settings that describe a gift's effect. */
export type GivingOrg = Pick<Org, 'typicalGrant' | 'savingYears'>;

/** Discloses, before payment, what the cart pays for and when the carbon will be saved (16 CFR 260.5). */
export function CartEffects({ items, org }: { items: readonly CartItem[]; org: GivingOrg }) {
  const carbon = cartCarbon(items);
  const savingTime = carbon > 0 ? delayedSavingsSentence(org.savingYears) : '';
  return (
    <div className={styles.effects}>
      <p className={styles.effect}>
        {effectSentence({ carbon, amount: cartTotal(items), typicalGrant: typicalGrantCents(org.typicalGrant) })}
      </p>
      {savingTime !== '' && (
        <details className={styles.timing}>
          <summary>{m.cartLaterTitle()}</summary>
          <p>{savingTime}</p>
        </details>
      )}
    </div>
  );
}

type CartFootProps = {
  items: readonly CartItem[];
  coveredFee: CoveredFee;
  /** Reason these items can't be checked out. */
  failure: Failure | undefined;
  busy: boolean;
  onCheckout: () => void;
};

/** The total and the Checkout button. */
export function CartFoot({ items, coveredFee, failure, busy, onCheckout }: CartFootProps) {
  const total = formatCents(cartTotal(items) + coveredFee.initial);
  const renewal = describeRenewal(items);
  return (
    <div className={styles.foot}>
      <div>
        <output className={styles.total}>
          <span>{m.cartTotal()}</span> <strong>{total}</strong>
        </output>
        <output className={styles.renewal}>
          {renewal &&
            m.cartRenewal({
              total,
              amount: formatCents(renewal.amount + coveredFee.renewal),
              interval: renewal.intervalText,
            })}
        </output>
      </div>
      <output className={styles.message}>{failure?.message}</output>
      <Button kind="action" wide busy={busy} disabled={failure !== undefined} onClick={onCheckout}>
        {busy ? m.openingPayment() : m.cartCheckout()}
      </Button>
    </div>
  );
}

type FirstIntervalButtonProps = {
  lines: readonly CartLine[];
  getFee: (items: readonly CartItem[]) => CoveredFee;
  busy: boolean;
  onCheckout: (lines: readonly CartLine[]) => void;
};

/** Checks out only the gifts of the first interval, if the cart has two. */
export function FirstIntervalButton({ lines, getFee, busy, onCheckout }: FirstIntervalButtonProps) {
  const firstLines = selectFirstIntervalItems(lines);
  const items = firstLines.map(({ item }) => item);
  const interval = cartInterval(items);
  const fee = getFee(items);
  if (!interval || chargeFailure(items, fee)) return null;
  return (
    <Button kind="outline" className={styles.option} busy={busy} onClick={() => onCheckout(firstLines)}>
      {m.cartFirstInterval({
        adjective: intervalAdjective(interval),
        amount: formatCents(cartTotal(items) + fee.initial),
      })}
    </Button>
  );
}
