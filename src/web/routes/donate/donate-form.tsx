import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { CardFee, CoveredFee } from '#domain/card-fee.ts';
import { type CartItem, cartTotal, DONATION_PRESETS } from '#domain/cart.ts';
import { GRANT_PER_TON, wholeTons } from '#domain/gift-effect.ts';
import { type Cents, formatCents, formatWholeDollars } from '#domain/money.ts';
import { cartRenewal } from '#domain/whole-cart.ts';
import { m } from '#messages';
import { itemCount } from '#web/cart/cart-store.ts';
import { type GiftChoice, NO_CHOICE } from '#web/payment/gift-choice.ts';
import { GiftOptions, selectedFee } from '#web/payment/gift-options.tsx';
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
import { type Donation, directDonation, donationOf, typedDollars } from './donation.ts';

type DonateFormProps = {
  /** The donation in the cart to edit; undefined for a new donation. */
  editedItem: CartItem | undefined;
  /** Whole dollars suggested by the site that linked to the page. */
  preset: string | undefined;
  /** Number of items in the cart. */
  inCart: number;
  /** Null if the card fee is not offered. */
  fee: CardFee | null;
  isCheckingOut: boolean;
  /** Why the last checkout attempt failed. */
  problem: string | undefined;
  /** Opens the payment page. Called in the click handler. */
  onDonate: (item: CartItem, coveredFee: Cents) => void;
  onAddToCart: (item: CartItem, choice: GiftChoice) => void;
  /** Opens the Send Check dialog with the text of the amount field. */
  onCheck: (amount: string) => void;
  /** Further options for the donor. */
  options: ReactNode;
  /** Shown at the end of the form. */
  children?: ReactNode;
};

/** Preset amounts, the amount field, the recurrence, and the ways to give (§2, §5). */
export function DonateForm(props: DonateFormProps) {
  const { editedItem, preset, inCart, fee, isCheckingOut, problem, onDonate, onAddToCart, onCheck, options, children } =
    props;
  const [amount, setAmount] = useState(String(editedItem?.cost ?? preset ?? 0));
  const [recurrence, setRecurrence] = useState<Recurrence>(
    editedItem ? { recurring: editedItem.recurring, interval: editedItem.recurringInterval ?? 1 } : ONCE,
  );
  const [choice, setChoice] = useState(NO_CHOICE);
  const [refusal, setRefusal] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const give = (gift: Donation, onItem: (item: CartItem) => void) => {
    setRefusal(gift.kind === 'problem' ? gift.problem : undefined);
    if (gift.kind === 'item') onItem(gift.item);
    else input.current?.focus();
  };
  const donation = donationOf(amount, recurrence);
  const items = donation.kind === 'item' ? [donation.item] : [];
  const addedFee = selectedFee(items, choice, fee);
  const direct = directDonation(amount, recurrence, addedFee);
  const donate = () => give(direct, (item) => onDonate(item, addedFee.first));
  const addToCart = () => give(donation, (item) => onAddToCart(item, choice));
  // Donate pays only this gift, so the form sends a donor with a filled cart to the cart first.
  const cartFirst = inCart > 0 || editedItem !== undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cartFirst) addToCart();
    else donate();
  };
  return (
    <form onSubmit={submit} noValidate className={styles.form} aria-label={m.itemDonation()}>
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
          legend={m.donateHowOften()}
          layout="row"
          options={RECURRENCE_KINDS}
          value={kindOf(recurrence)}
          onChange={(kind) => setRecurrence(recurrenceOf(kind, recurrence))}
        />
        {kindOf(recurrence) === 'months' && (
          <p className={styles.months}>
            {m.donateEvery()} <MonthsSelect value={recurrence} onChange={setRecurrence} />
          </p>
        )}
      </div>
      {options}
      <GiftOptions items={items} fee={fee} choice={choice} onChoice={setChoice} />
      <output className={styles.total}>{!cartFirst && direct.kind === 'item' && payText(items, addedFee)}</output>
      <Cluster className={styles.buttons}>
        {cartFirst && (
          <Button type="submit" kind="action">
            {editedItem ? m.saveChanges() : m.addToCart()}
          </Button>
        )}
        {!editedItem && (
          <>
            <Button
              type={cartFirst ? 'button' : 'submit'}
              kind={cartFirst ? 'outline' : 'action'}
              busy={isCheckingOut}
              onClick={cartFirst ? donate : undefined}
            >
              {isCheckingOut ? m.openingPayment() : m.navDonate()}
            </Button>
            <Button kind="outline" onClick={() => onCheck(amount)} aria-haspopup="dialog">
              {m.donateCheck()}
            </Button>
          </>
        )}
        {!cartFirst && (
          <Button kind="quiet" onClick={addToCart}>
            {m.addToCart()}
          </Button>
        )}
      </Cluster>
      {cartFirst && !editedItem && <p className={styles.note}>{m.donateBesideCart({ items: itemCount(inCart) })}</p>}
      <Problem inline>{problem}</Problem>
      {children}
    </form>
  );
}

/** States the amount and date of the charge, and how to stop it. */
function payText(items: readonly CartItem[], fee: CoveredFee): string {
  const amount = formatCents(cartTotal(items) + fee.first);
  const renewal = cartRenewal(items);
  if (!renewal) return m.donatePayOnce({ amount });
  return m.donatePayAgain({ amount, again: formatCents(renewal.amount + fee.renewal), every: renewal.every });
}

type AmountFieldProps = {
  amount: string;
  onAmount: (amount: string) => void;
  problem: string | undefined;
  input: RefObject<HTMLInputElement | null>;
};

/** The preset amounts (§9) and the field that they fill in (§2). */
function AmountField({ amount, onAmount, problem, input }: AmountFieldProps) {
  const entered = typedDollars(amount);
  const name = useId();
  return (
    <>
      <fieldset className={styles.presets}>
        <legend className={styles.legend}>{m.donateChoose()}</legend>
        {DONATION_PRESETS.map((dollars) => (
          <label key={dollars} className={styles.preset}>
            <input
              type="radio"
              name={name}
              value={dollars}
              checked={entered.kind === 'dollars' && entered.dollars === dollars}
              onChange={() => onAmount(String(dollars))}
              className={hiding.hidden}
            />
            <span>{formatWholeDollars(dollars)}</span>
            <span className={styles.tons}>{m.donateTons({ count: wholeTons(dollars * 100) })}</span>
          </label>
        ))}
      </fieldset>
      <p className={styles.note}>{m.donateTonsNote({ amount: formatWholeDollars(GRANT_PER_TON / 100) })}</p>
      <NumberField
        ref={input}
        label={m.donateAmount()}
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
