import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import type { CartItem } from '#domain/cart.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import {
  kindOf,
  MonthsSelect,
  ONCE,
  RECURRENCE_KINDS,
  type Recurrence,
  recurrenceOf,
} from '#web/ui/recurrence-select.tsx';
import { AmountField } from './amount-field.tsx';
import styles from './donate.module.css';
import { type Donation, donationAlone, donationOf } from './donation-form.ts';

type DonateFormProps = {
  checkingOut: boolean;
  /** Why the last attempt to check out came to nothing. */
  problem: string | undefined;
  /** Takes the gift to the payment page. Called in the click. */
  onDonate: (item: CartItem) => void;
  onAddToCart: (item: CartItem) => void;
  /** Opens the Send Check dialog, with the amount as it stands. */
  onCheck: (amount: string) => void;
  /** What is said at the end of the form: where a payment page or a cart is. */
  children?: ReactNode;
};

/** A gift of whole dollars (§2, §5): presets, amount, how often, and the ways to give it. */
export function DonateForm(props: DonateFormProps) {
  const { checkingOut, problem, onDonate, onAddToCart, onCheck, children } = props;
  const [amount, setAmount] = useState('0');
  const [recurrence, setRecurrence] = useState<Recurrence>(ONCE);
  const [refusal, setRefusal] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const give = (donation: Donation, to: (item: CartItem) => void) => {
    setRefusal(donation.kind === 'problem' ? donation.problem : undefined);
    if (donation.kind === 'item') to(donation.item);
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
      <div className={styles.buttons}>
        <Button type="submit" kind="action" busy={checkingOut}>
          {checkingOut ? 'Opening the payment page…' : 'Donate'}
        </Button>
        <Button kind="outline" onClick={() => onCheck(amount)} aria-haspopup="dialog">
          Check
        </Button>
        <Button kind="quiet" onClick={() => give(donationOf(amount, recurrence), onAddToCart)}>
          Add to cart
        </Button>
      </div>
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      {children}
    </form>
  );
}
