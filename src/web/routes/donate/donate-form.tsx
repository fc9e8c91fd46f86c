import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import type { CardFee, CoveredFee } from '#domain/card-fee.ts';
import { type CartItem, cartTotal, DONATION_PRESETS } from '#domain/cart.ts';
import { GRANT_PER_TON, wholeTons } from '#domain/gift-effect.ts';
import { type Cents, formatCents, formatWholeDollars } from '#domain/money.ts';
import { cartRenewal } from '#domain/whole-cart.ts';
import { m } from '#messages';
import { itemCount } from '#web/cart/cart-store.ts';
import { type GiftChoice, NO_CHOICE } from '#web/payment/gift-choice.ts';
import { chosenFee, GiftOptions } from '#web/payment/gift-options.tsx';
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
  /** The donation in the cart that is changed, instead of making a new one. */
  edited: CartItem | undefined;
  /** Whole dollars, filled in for a donor who came from a site that suggests them. */
  preset: string | undefined;
  /** Number of items in the cart. */
  inCart: number;
  /** Null where the card fee is not offered. */
  fee: CardFee | null;
  checkingOut: boolean;
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

/** Preset amounts, the amount field, how often, and the ways to give (§2, §5). */
export function DonateForm(props: DonateFormProps) {
  const { edited, preset, inCart, fee, checkingOut, problem, onDonate, onAddToCart, onCheck, options, children } =
    props;
  const [amount, setAmount] = useState(String(edited?.cost ?? preset ?? 0));
  const [recurrence, setRecurrence] = useState<Recurrence>(
    edited ? { recurring: edited.recurring, interval: edited.recurringInterval ?? 1 } : ONCE,
  );
  const [choice, setChoice] = useState(NO_CHOICE);
  const [refusal, setRefusal] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const give = (donation: Donation, onItem: (item: CartItem) => void) => {
    setRefusal(donation.kind === 'problem' ? donation.problem : undefined);
    if (donation.kind === 'item') onItem(donation.item);
    else input.current?.focus();
  };
  const typed = donationOf(amount, recurrence);
  const items = typed.kind === 'item' ? [typed.item] : [];
  const covered = chosenFee(items, choice, fee);
  const alone = donationAlone(amount, recurrence, covered);
  const donate = () => give(alone, (item) => onDonate(item, covered.first));
  const addToCart = () => give(typed, (item) => onAddToCart(item, choice));
  // Donate pays this gift alone, so a donor who has filled the cart is led on to it.
  const cartFirst = inCart > 0 || edited !== undefined;
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
      <output className={styles.total}>{!cartFirst && alone.kind === 'item' && payText(items, covered)}</output>
      <Cluster className={styles.buttons}>
        {cartFirst && (
          <Button type="submit" kind="action">
            {edited ? m.saveChanges() : m.addToCart()}
          </Button>
        )}
        {!edited && (
          <>
            <Button
              type={cartFirst ? 'button' : 'submit'}
              kind={cartFirst ? 'outline' : 'action'}
              busy={checkingOut}
              onClick={cartFirst ? donate : undefined}
            >
              {checkingOut ? m.openingPayment() : m.navDonate()}
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
      {cartFirst && !edited && <p className={styles.note}>{m.donateBesideCart({ items: itemCount(inCart) })}</p>}
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

/** The preset amounts (§9), and the field that they fill in (§2). */
function AmountField({ amount, onAmount, problem, input }: AmountFieldProps) {
  const typed = typedDollars(amount);
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
              checked={typed.kind === 'dollars' && typed.dollars === dollars}
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
