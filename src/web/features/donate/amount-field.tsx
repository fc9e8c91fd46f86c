import type { RefObject } from 'react';
import { DONATION_PRESETS } from '#domain/cart.ts';
import { formatWholeDollars } from '#domain/money.ts';
import { NumberField } from '../../ui/field.tsx';
import styles from './donate.module.css';
import { typedDollars } from './donation-form.ts';

type AmountFieldProps = {
  amount: string;
  onAmount: (amount: string) => void;
  problem: string | undefined;
  input: RefObject<HTMLInputElement | null>;
};

/** The presets of §9, and the field that they fill (§2). */
export function AmountField({ amount, onAmount, problem, input }: AmountFieldProps) {
  const typed = typedDollars(amount);
  return (
    <>
      <fieldset className={styles.presets}>
        <legend className={styles.legend}>Choose an amount</legend>
        {DONATION_PRESETS.map((dollars) => (
          <button
            key={dollars}
            type="button"
            className={styles.preset}
            aria-pressed={typed.kind === 'dollars' && typed.dollars === dollars}
            onClick={() => onAmount(String(dollars))}
          >
            {formatWholeDollars(dollars)}
          </button>
        ))}
      </fieldset>
      <NumberField
        ref={input}
        label="Amount"
        prefix="$"
        suffix=".00"
        value={amount}
        onChange={({ currentTarget }) => onAmount(currentTarget.value)}
        // What is typed takes the place of the 0 that stands there.
        onFocus={({ currentTarget }) => currentTarget.select()}
        error={problem}
        className={styles.amount}
      />
    </>
  );
}
