import {
  type CardFee,
  type CoveredFee,
  calculateFeeCoverage,
  formatCardFee,
  NO_COVERED_FEE,
} from '#domain/card-fee.ts';
import type { CartItem } from '#domain/cart.ts';
import { formatCents } from '#domain/money.ts';
import { m } from '#messages';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { GiftChoice } from './gift-choice.ts';
import styles from './gift-options.module.css';

type GiftOptionsProps = {
  /** Empty until a valid amount is entered. */
  items: readonly CartItem[];
  /** Null if donors can't choose to cover the card fee, undefined until it is loaded. */
  fee: CardFee | null | undefined;
  choice: GiftChoice;
  onChoice: (choice: GiftChoice) => void;
};

/** Card gift options, in the cart and on the donate page. No option is preselected. */
export function GiftOptions({ items, fee, choice, onChoice }: GiftOptionsProps) {
  if (!fee) return null;
  return (
    <div className={styles.fee}>
      <Checkbox
        checked={choice.coversFee}
        onChange={({ currentTarget }) => onChoice({ ...choice, coversFee: currentTarget.checked })}
      >
        {formatFeeLabel(calculateFeeCoverage(items, fee))}
      </Checkbox>
      <details className={styles.about}>
        <summary aria-label={m.cardFeeAbout()}>
          <Icon name="info" size={18} />
        </summary>
        <p>{m.cardFeeHelp({ fee: formatCardFee(fee) })}</p>
      </details>
    </div>
  );
}

/** The card fee to add to these items, if the donor covers it. */
export function getSelectedFee(
  items: readonly CartItem[],
  { coversFee }: GiftChoice,
  fee: CardFee | null | undefined,
): CoveredFee {
  return coversFee && fee ? calculateFeeCoverage(items, fee) : NO_COVERED_FEE;
}

function formatFeeLabel({ initial, renewal }: CoveredFee): string {
  if (initial === 0) return m.cardFeeAdd();
  if (renewal === 0) return m.cardFeeAddOnce({ fee: formatCents(initial) });
  if (renewal === initial) return m.cardFeeAddEach({ fee: formatCents(initial) });
  return m.cardFeeAddBoth({ initial: formatCents(initial), renewal: formatCents(renewal) });
}
