import { type RefObject, useId } from 'react';
import { DONATION_PRESETS } from '#domain/cart.ts';
import { formatWholeDollars } from '#domain/money.ts';
import { NumberField } from '#web/ui/field.tsx';
import hiding from '#web/ui/visually-hidden.module.css';
import styles from './donate.module.css';
import { typedDollars } from './donation-form.ts';

type AmountFieldProps = {
  amount: string;
  onAmount: (amount: string) => void;
  problem: string | undefined;
  input: RefObject<HTMLInputElement | null>;
};

/** The presets of §9, and the field that they fill (§2): one of them, or none where another amount is typed. */
export function AmountField({ amount, onAmount, problem, input }: AmountFieldProps) {
  const typed = typedDollars(amount);
  const name = useId();
  return (
    <>
      <fieldset className={styles.presets}>
        <legend className={styles.legend}>Choose an amount</legend>
        {DONATION_PRESETS.map((dollars) => (
          <label key={dollars} className={styles.preset}>
            <input
              type="radio"
              name={name}
              value={dollars}
              checked={typed.kind === 'dollars' && typed.dollars === dollars}
              onChange={() => onAmount(String(dollars))}
              className={hiding.hidden}
            />
            <span>{formatWholeDollars(dollars)}</span>
          </label>
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
