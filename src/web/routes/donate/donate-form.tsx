import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { type CartItem, DONATION_PRESETS } from '#domain/cart.ts';
import { formatWholeDollars } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { NumberField } from '#web/ui/field.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import {
  kindOf,
  MonthsSelect,
  ONCE,
  RECURRENCE_KINDS,
  type Recurrence,
  recurrenceOf,
} from '#web/ui/recurrence-select.tsx';
import hiding from '#web/ui/visually-hidden.module.css';
import styles from './donate.module.css';
import { type Donation, donationAlone, donationOf, typedDollars } from './donation.ts';

type DonateFormProps = {
  checkingOut: boolean;
  /** Why the last checkout attempt failed. */
  problem: string | undefined;
  /** Opens the payment page. Called in the click handler. */
  onDonate: (item: CartItem) => void;
  onAddToCart: (item: CartItem) => void;
  /** Opens the Send Check dialog with the text of the amount field. */
  onCheck: (amount: string) => void;
  /** Shown at the end of the form. */
  children?: ReactNode;
};

/** Preset amounts, the amount field, how often, and the ways to give (§2, §5). */
export function DonateForm(props: DonateFormProps) {
  const { checkingOut, problem, onDonate, onAddToCart, onCheck, children } = props;
  const [amount, setAmount] = useState('0');
  const [recurrence, setRecurrence] = useState<Recurrence>(ONCE);
  const [refusal, setRefusal] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const give = (donation: Donation, onItem: (item: CartItem) => void) => {
    setRefusal(donation.kind === 'problem' ? donation.problem : undefined);
    if (donation.kind === 'item') onItem(donation.item);
    else input.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    give(donationAlone(amount, recurrence), onDonate);
  };
  return (
    <form onSubmit={submit} noValidate className={styles.form} aria-label="Donation">
      <AmountField
        amount={amount}
        onAmount={(text) => {
          setAmount(text);
          setRefusal(undefined);
        }}
        problem={refusal}
        input={input}
      />
      <div>
        <ChoiceGroup
          legend="How often?"
          layout="row"
          options={RECURRENCE_KINDS}
          value={kindOf(recurrence)}
          onChange={(kind) => setRecurrence(recurrenceOf(kind, recurrence))}
        />
        {kindOf(recurrence) === 'months' && (
          <p className={styles.months}>
            Every <MonthsSelect value={recurrence} onChange={setRecurrence} />
          </p>
        )}
      </div>
      <Cluster className={styles.buttons}>
        <Button type="submit" kind="action" busy={checkingOut}>
          {checkingOut ? 'Opening the payment page…' : 'Donate'}
        </Button>
        <Button kind="outline" onClick={() => onCheck(amount)} aria-haspopup="dialog">
          Check
        </Button>
        <Button kind="quiet" onClick={() => give(donationOf(amount, recurrence), onAddToCart)}>
          Add to cart
        </Button>
      </Cluster>
      <Problem inline>{problem}</Problem>
      {children}
    </form>
  );
}

type AmountFieldProps = {
  amount: string;
  onAmount: (amount: string) => void;
  problem: string | undefined;
  input: RefObject<HTMLInputElement | null>;
};

/** The preset amounts (§9), and the field that they fill in (§2). */
function AmountField({ amount, onAmount, problem, input }: AmountFieldProps) {
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
        // Typing replaces the 0.
        onFocus={({ currentTarget }) => currentTarget.select()}
        error={problem}
        className={styles.amount}
      />
    </>
  );
}
