import { type SubmitEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { pagePath } from '#contract/pages.ts';
import type { CardFee, CoveredFee } from '#domain/card-fee.ts';
import { type CartItem, cartTotal, DONATION_PRESETS, formatInterval } from '#domain/cart.ts';
import { effectSentence } from '#domain/gift-effect.ts';
import { type Cents, formatAmount, formatCents, formatWholeDollars } from '#domain/money.ts';
import { describeRenewal } from '#domain/validate-cart.ts';
import { m } from '#messages';
import type { CartLine } from '#web/cart/cart-lines.ts';
import { CART_HASH, formatItemCount, useCart } from '#web/cart/cart-store.ts';
import type { FormError } from '#web/forms/form-errors.ts';
import { useFocusOnError } from '#web/forms/use-focus-on-error.ts';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { NO_CHOICE, saveGiftChoice } from '#web/payment/gift-choice.ts';
import { GiftOptions, getSelectedFee } from '#web/payment/gift-options.tsx';
import { useOnPaid } from '#web/payment/paid-checkout.ts';
import { TributeOption, useTribute } from '#web/payment/tribute-option.tsx';
import { useCheckout } from '#web/payment/use-checkout.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { NumberField } from '#web/ui/field.tsx';
import { Cluster, Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import {
  COMMON_RECURRENCES,
  getRecurrenceKey,
  ONCE,
  OTHER_RECURRENCES,
  type Recurrence,
  RecurrenceSelect,
  toRecurrenceOption,
} from '#web/ui/recurrence-select.tsx';
import selectable from '#web/ui/selectable.module.css';
import { useToast } from '#web/ui/toast.tsx';
import visuallyHidden from '#web/ui/visually-hidden.module.css';
import styles from './donate.module.css';
import { type Donation, parseDirectDonation, parseDonation, parseWholeDollars } from './donation.ts';

type DonateFormProps = {
  orgId: string;
  /** The donation in the cart to edit; undefined for a new donation. */
  editedLine: CartLine | undefined;
  /** Whole dollars suggested in the link to the page. */
  suggestedAmount: string | undefined;
  /** Null if the card fee is not offered. */
  fee: CardFee | null;
  /** The organization's typical grant, if it has set one. */
  typicalGrant: Cents | null;
  /** Opens the Send Check dialog with the text of the amount field. */
  onSendCheck: (amount: string) => void;
};

/** Preset amounts, the amount field, the recurrence, and the ways to give (§2, §5). */
export function DonateForm({ orgId, editedLine, suggestedAmount, fee, typicalGrant, onSendCheck }: DonateFormProps) {
  const cart = useCart(orgId);
  const navigate = useNavigate();
  const toast = useToast();
  const checkout = useCheckout(orgId);
  const tribute = useTribute(orgId, checkout);
  const [addedCount, setAddedCount] = useState(0);
  const editedItem = editedLine?.item;
  const [amount, setAmount] = useState(String(editedItem?.cost ?? suggestedAmount ?? 0));
  const [recurrence, setRecurrence] = useState<Recurrence>(
    editedItem ? { recurring: editedItem.recurring, interval: editedItem.recurringInterval ?? 1 } : ONCE,
  );
  const [choice, setChoice] = useState(NO_CHOICE);
  const [amountError, setAmountError] = useState<FormError>();
  const form = useFocusOnError(amountError);
  useOnPaid(orgId, () => {
    if (editedLine) return;
    setAmount('0');
    setRecurrence(ONCE);
    setChoice(NO_CHOICE);
    setAmountError(undefined);
  });
  const runIfValid = (candidate: Donation, onItem: (item: CartItem) => void) => {
    setAmountError(candidate.kind === 'problem' ? { field: 'amount', message: candidate.problem } : undefined);
    if (candidate.kind === 'item') onItem(candidate.item);
  };
  const donation = parseDonation(amount, recurrence);
  const items = donation.kind === 'item' ? [donation.item] : [];
  const addedFee = getSelectedFee(items, choice, fee);
  const cardDonation = parseDirectDonation(amount, recurrence, addedFee);
  // Opens the payment page, so it must be called in the click handler.
  const donate = () => {
    // Shows the tribute's problems even if the amount is invalid.
    const isTributeValid = tribute.validate();
    runIfValid(cardDonation, (item) => {
      setAddedCount(0);
      if (isTributeValid) void checkout.checkOut([item], undefined, { coveredFee: addedFee.initial });
    });
  };
  const cartAddress = `${pagePath('home-page', { orgid: orgId })}#${CART_HASH}`;
  const addToCart = () =>
    runIfValid(donation, (item) => {
      cart.put(item, undefined, editedLine?.id);
      if (editedLine) return void navigate(cartAddress);
      if (choice.coversFee) saveGiftChoice(orgId, choice);
      const count = addedCount + 1;
      setAddedCount(count);
      toast(m.donateAdded({ count }), { label: m.donateToCart(), run: () => void navigate(cartAddress) });
    });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (editedItem) addToCart();
    else donate();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className={styles.form} aria-label={m.itemDonation()}>
      <RecurrenceField value={recurrence} onChange={setRecurrence} />
      <AmountField
        amount={amount}
        onAmount={(text) => {
          setAmount(text);
          setAmountError(undefined);
        }}
        problem={amountError?.message}
        typicalGrant={typicalGrant}
      />
      <div>
        {/* If the gift is in the cart, the cart shows its options. */}
        {!editedItem && <GiftOptions items={items} fee={fee} choice={choice} onChoice={setChoice} />}
        <TributeOption tribute={tribute} />
      </div>
      <Stack gap={3}>
        <output className={styles.note}>{cardDonation.kind === 'item' && describeCharges(items, addedFee)}</output>
        <Button type="submit" kind="action" wide busy={checkout.isCheckingOut}>
          {editedItem
            ? m.saveChanges()
            : checkout.isCheckingOut
              ? m.openingPayment()
              : formatDonateLabel(cardDonation, addedFee)}
        </Button>
        {!editedItem && (
          <Cluster className={styles.buttons}>
            <Button kind="outline" onClick={() => onSendCheck(amount)} aria-haspopup="dialog">
              {m.donateCheck()}
            </Button>
            {cart.lines.length > 0 && (
              <Button kind="quiet" onClick={addToCart}>
                {m.addToCart()}
              </Button>
            )}
          </Cluster>
        )}
        {cart.lines.length > 0 && !editedItem && (
          <p className={styles.note}>{m.donateBesideCart({ items: formatItemCount(cart.lines.length) })}</p>
        )}
      </Stack>
      <Problem inline>{tribute.problem}</Problem>
    </form>
  );
}

/** "Donate $100 monthly", with the covered fee; "Donate" until the amount is valid. */
function formatDonateLabel(donation: Donation, fee: CoveredFee): string {
  if (donation.kind === 'problem') return m.navDonate();
  const { recurring, recurringInterval = 1 } = donation.item;
  const amount = formatAmount(cartTotal([donation.item]) + fee.initial);
  if (recurring === 'no') return m.donateOnce({ amount });
  if (recurring === 'year') return m.donateYearly({ amount });
  if (recurringInterval === 1) return m.donateMonthly({ amount });
  return m.donateEvery({ amount, interval: formatInterval({ unit: 'month', count: recurringInterval }) });
}

/** Describes the charges of a recurring gift and how to stop it. Empty for a one-time gift. */
function describeCharges(items: readonly CartItem[], fee: CoveredFee): string {
  const amount = formatCents(cartTotal(items) + fee.initial);
  const renewal = describeRenewal(items);
  if (!renewal) return '';
  const renewalAmount = formatCents(renewal.amount + fee.renewal);
  return m.donatePayAgain({ amount, renewalAmount, interval: renewal.intervalText });
}

const ALL_RECURRENCES = [...COMMON_RECURRENCES, ...OTHER_RECURRENCES];

type RecurrenceFieldProps = { value: Recurrence; onChange: (recurrence: Recurrence) => void };

/** Shows the common recurrences side by side; "More" shows all of them in a list. */
function RecurrenceField({ value, onChange }: RecurrenceFieldProps) {
  const key = getRecurrenceKey(value);
  const isCommon = COMMON_RECURRENCES.some((option) => getRecurrenceKey(option) === key);
  const [showsList, setShowsList] = useState(!isCommon);
  const container = useRef<HTMLDivElement>(null);
  const showList = () => {
    flushSync(() => setShowsList(true));
    // Focuses the list, because the pressed button has disappeared.
    container.current?.querySelector('select')?.focus();
  };
  return (
    <div ref={container} className={styles.recurrence}>
      <ChoiceGroup
        legend={m.donateHowOften()}
        layout="segment"
        options={COMMON_RECURRENCES.map(toRecurrenceOption)}
        value={key}
        onChange={(newKey) =>
          onChange(COMMON_RECURRENCES.find((option) => getRecurrenceKey(option) === newKey) ?? ONCE)
        }
      />
      {showsList ? (
        <RecurrenceSelect label={m.donateHowOften()} choices={ALL_RECURRENCES} value={value} onChange={onChange} />
      ) : (
        <Button kind="quiet" onClick={showList}>
          {m.donateMoreIntervals()}
        </Button>
      )}
    </div>
  );
}

type AmountFieldProps = {
  amount: string;
  onAmount: (amount: string) => void;
  problem: string | undefined;
  typicalGrant: Cents | null;
};

/** The preset amounts (§9) and the field that they fill in (§2). */
function AmountField({ amount, onAmount, problem, typicalGrant }: AmountFieldProps) {
  const parsedAmount = parseWholeDollars(amount);
  const name = useId();
  return (
    <>
      <fieldset className={styles.presets}>
        <legend className={styles.legend}>{m.donateChoose()}</legend>
        {DONATION_PRESETS.map((dollars) => (
          <label key={dollars} className={classNames(styles.preset, selectable.selectable)}>
            <input
              type="radio"
              name={name}
              value={dollars}
              checked={parsedAmount.kind === 'dollars' && parsedAmount.dollars === dollars}
              onChange={() => onAmount(String(dollars))}
              className={visuallyHidden.hidden}
            />
            <span>{formatWholeDollars(dollars)}</span>
          </label>
        ))}
      </fieldset>
      <NumberField
        label={m.donateAmount()}
        prefix="$"
        suffix=".00"
        value={amount}
        onChange={({ currentTarget }) => onAmount(currentTarget.value)}
        // Selects the text, so that typing replaces the 0.
        onFocus={({ currentTarget }) => currentTarget.select()}
        error={problem}
        className={classNames(styles.amount, parsedAmount.kind === 'problem' && amount === '0' && styles.zero)}
      />
      <output className={styles.effect}>
        {parsedAmount.kind === 'dollars' &&
          effectSentence({ carbon: 0, amount: parsedAmount.dollars * 100, typicalGrant })}
      </output>
    </>
  );
}
