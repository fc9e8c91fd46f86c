import { useId } from 'react';
import { type CardFee, type CoveredFee, cardFeeText, coveredFee, NO_COVERED_FEE } from '#domain/card-fee.ts';
import { type CartItem, cartTotal } from '#domain/cart.ts';
import { type Cents, formatCents } from '#domain/money.ts';
import { m } from '#messages';
import { Checkbox } from '#web/ui/choice.tsx';
import type { GiftChoice } from './gift-choice.ts';
import styles from './gift-options.module.css';

type GiftOptionsProps = {
  /** Empty until a valid amount is entered. */
  items: readonly CartItem[];
  /** Null if the card fee is not offered, undefined until it is loaded. */
  fee: CardFee | null | undefined;
  choice: GiftChoice;
  onChoice: (choice: GiftChoice) => void;
};

/** Options of a card gift, in the cart and on the donate page. None is preselected. */
export function GiftOptions({ items, fee, choice, onChoice }: GiftOptionsProps) {
  const help = useId();
  if (!fee) return null;
  return (
    <div>
      <Checkbox
        checked={choice.coversFee}
        onChange={({ currentTarget }) => onChoice({ ...choice, coversFee: currentTarget.checked })}
        aria-describedby={help}
        className={styles.fee}
      >
        {feeLabel(cartTotal(items), coveredFee(items, fee))}
      </Checkbox>
      <p id={help} className={styles.help}>
        {m.cardFeeHelp({ fee: cardFeeText(fee) })}
      </p>
    </div>
  );
}

/** The amount that the choice adds to these items. */
export function selectedFee(
  items: readonly CartItem[],
  { coversFee }: GiftChoice,
  fee: CardFee | null | undefined,
): CoveredFee {
  return coversFee && fee ? coveredFee(items, fee) : NO_COVERED_FEE;
}

function feeLabel(gift: Cents, { first, renewal }: CoveredFee): string {
  if (first === 0) return m.cardFeeAdd();
  if (renewal === 0) return m.cardFeeAddOnce({ fee: formatCents(first), gift: formatCents(gift) });
  if (renewal === first) return m.cardFeeAddEach({ fee: formatCents(first), gift: formatCents(gift) });
  return m.cardFeeAddBoth({ first: formatCents(first), renewal: formatCents(renewal) });
}
