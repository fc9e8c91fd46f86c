import type { Checkout } from '#contract/schemas/checkouts.ts';
import { cartCarbon, cartTotal } from '#domain/cart.ts';
import { effectSentence, typicalGrantCents } from '#domain/gift-effect.ts';
import { formatCents, formatDollars, formatPounds, toChargedCents, toPounds } from '#domain/money.ts';
import { m } from '#messages';
import { ItemCells } from '#web/cart/cart-row.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Card } from '#web/ui/layout.tsx';
import styles from './checkout.module.css';
import { type CheckoutStage, isPaidStage } from './checkout-stage.ts';
import type { TributeText } from './use-tribute-text.ts';

const STATUS_LABELS: Readonly<Record<CheckoutStage, string>> = {
  confirming: m.giftUnconfirmed(),
  processing: m.giftProcessing(),
  'profile-form': m.giftPaid(),
  over: m.giftPaid(),
  failed: m.giftNotCharged(),
  expired: m.giftNotCharged(),
  refunded: m.giftRefunded(),
  disputed: m.giftDisputed(),
};

type GiftSummaryProps = {
  checkout: Checkout;
  stage: CheckoutStage;
  tribute: TributeText | undefined;
  /** Dollars of the organization's typical grant, if it publishes one. */
  typicalGrant: number | null;
  /** Undefined if the visitor may not open the receipt. */
  receiptURL: string | undefined;
};

export function GiftSummary({ checkout, stage, tribute, typicalGrant, receiptURL }: GiftSummaryProps) {
  const { cart, total, coveredFee, donor } = checkout;
  const carbon = cartCarbon(cart);
  const isFullyPaid = isPaidStage(stage) && !checkout.isPartlyReturned;
  return (
    <Card className={styles.summary} aria-labelledby="gift-summary">
      <div className={styles.head}>
        <h2 id="gift-summary">{stage === 'failed' || stage === 'expired' ? m.giftYourCart() : m.giftYours()}</h2>
        <p className={isFullyPaid ? styles.paid : styles.status}>
          {isFullyPaid && <Icon name="check" size={16} />}
          {isPaidStage(stage) && !isFullyPaid ? m.giftPaidPartly() : STATUS_LABELS[stage]}
        </p>
      </div>
      {tribute && (
        <div className={styles.tribute}>
          <p>{tribute.title}</p>
          {tribute.card !== undefined && <p className={styles.card}>{tribute.card}</p>}
        </div>
      )}
      <ul>
        {cart.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a paid cart never changes
          <li key={index} className={styles.item}>
            <ItemCells item={item} />
          </li>
        ))}
      </ul>
      <dl className={styles.sums}>
        {coveredFee > 0 && (
          <div className={styles.fee}>
            <dt>{m.giftCardFee()}</dt>
            <dd>{formatDollars(coveredFee)}</dd>
          </div>
        )}
        <div className={styles.total}>
          <dt>{m.cartTotal()}</dt>
          <dd>{formatCents(toChargedCents(total))}</dd>
        </div>
        {isFullyPaid && carbon > 0 && (
          <div className={styles.pounds}>
            <dt>{m.giftCarbon()}</dt>
            <dd>{m.giftPounds({ pounds: formatPounds(toPounds(carbon)) })}</dd>
          </div>
        )}
      </dl>
      {/* A refunded or disputed gift has no effect on homes. */}
      {isFullyPaid && (
        <p className={styles.effect}>
          {effectSentence({ carbon, amount: cartTotal(cart), typicalGrant: typicalGrantCents(typicalGrant) })}
        </p>
      )}
      {isFullyPaid && stage === 'profile-form' && donor?.receiptNumber && donor.maskedEmail && (
        <p className={styles.effect}>
          {m.checkoutReceipt({ number: String(donor.receiptNumber), email: donor.maskedEmail })}
        </p>
      )}
      {isPaidStage(stage) && receiptURL !== undefined && (
        <p className={styles.receipt}>
          <a href={receiptURL}>{m.giftReceiptPdf()}</a>
        </p>
      )}
    </Card>
  );
}
