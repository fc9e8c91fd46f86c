import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { calculateFeeToAdd } from '#domain/card-fee.ts';
import { formatInterval, type GiftInterval } from '#domain/cart.ts';
import { decimal, toUnits } from '#domain/decimal.ts';
import { getFailureSentence } from '#domain/failures.ts';
import { type Cents, formatCents, toDollars } from '#domain/money.ts';
import { m } from '#messages';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { loginUrl, parseAddress } from '#web/navigation/address.ts';
import { Link } from '#web/navigation/link.tsx';
import { useAddress } from '#web/navigation/use-navigator.ts';
import { withSearch } from '#web/navigation/with-search.ts';
import { useCardFee } from '#web/payment/use-card-fee.ts';
import { useSession } from '#web/session/app-context.ts';
import { NumberField } from '#web/ui/field.tsx';
import { parseDollars } from '#web/ui/parse-number.ts';
import { Problem } from '#web/ui/problem.tsx';
import {
  COMMON_RECURRENCES,
  getRecurrenceKey,
  ONCE,
  OTHER_RECURRENCES,
  type Recurrence,
  toSelectProps,
} from '#web/ui/recurrence-select.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

export type NewTerms = GiftInterval & { readonly amount?: number };

type ChangeForm = { readonly amount: string; readonly recurrence: Recurrence };

/** Texts from the address, as the dialog's link to the login page stored them. Untrusted. */
export type SavedChange = { readonly amount: string | undefined; readonly every: string | undefined };

type ChangeDialogProps = {
  gift: RecurringGift;
  /** The change that the donor entered before logging in. */
  savedChange: SavedChange | undefined;
  onChange: (terms: NewTerms) => Promise<void>;
  onClose: () => void;
};

const RECURRENCES = [...COMMON_RECURRENCES.filter((option) => option !== ONCE), ...OTHER_RECURRENCES];

/** Changes the amount and the interval of a recurring gift. */
export function ChangeDialog({ gift, savedChange, onChange, onClose }: ChangeDialogProps) {
  const initialAmount = gift.amount === null ? '' : String(toDollars(toCents(gift.amount) - toCents(gift.coveredFee)));
  // An unchanged amount may have cents, such as an offset's.
  const isUnchanged = (amount: string) => amount.trim() === initialAmount;
  const form = useForm<ChangeForm, 'amount'>({
    initial: {
      amount: savedChange?.amount ?? initialAmount,
      recurrence: RECURRENCES.find((option) => getRecurrenceKey(option) === savedChange?.every) ?? {
        recurring: gift.unit ?? 'month',
        interval: gift.count ?? 1,
      },
    },
    fields: ['amount'],
    validate: ({ amount }) =>
      isUnchanged(amount) || isWholeDollars(parseDollarsOrNaN(amount))
        ? {}
        : { amount: getFailureSentence('amount-not-whole-dollars') },
  });
  const { change, errorOf } = form;
  const { amount, recurrence } = form.values;
  const interval = toInterval(recurrence);
  const { path } = parseAddress(useAddress());
  const login = loginUrl(withSearch(path, { amount, every: getRecurrenceKey(recurrence) }));
  const isVisitor = useSession().status === 'visitor';
  const needsLogin = isVisitor && form.rejectionCode === 'gift-raise-needs-login';
  // The change is in the link's address, so leaving for the login page doesn't lose it.
  const [isLoggingIn, setIsLoggingIn] = useState(false);
  const loginLink = (
    <Link to={login} onClick={() => flushSync(() => setIsLoggingIn(true))}>
      {m.logIn()}
    </Link>
  );
  const terms = isUnchanged(amount) ? interval : { ...interval, amount: parseDollarsOrNaN(amount) };
  return (
    <FormDialog
      title={m.giftChangeTitle()}
      confirmLabel={m.save()}
      form={{
        ...form,
        isUnsaved: form.isUnsaved && !isLoggingIn,
        problem: needsLogin ? undefined : form.problem,
      }}
      onSubmit={() => onChange(terms)}
      onClose={onClose}
    >
      <NumberField
        label={gift.coveredFee > 0 ? m.giftChangeDollarsNoFee() : m.giftChangeDollars()}
        prefix="$"
        value={amount}
        error={errorOf('amount', false)}
        onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
      />
      <SelectField
        label={m.howOften()}
        {...toSelectProps({
          choices: RECURRENCES,
          value: recurrence,
          onChange: (newRecurrence) => change({ recurrence: newRecurrence }),
        })}
      />
      {gift.coveredFee > 0 && (
        <output>
          <ChargeWithFee initialAmount={initialAmount} text={amount} gift={gift} interval={interval} />
        </output>
      )}
      <p>{m.giftChangeNote()}</p>
      {isVisitor && !needsLogin && (
        <p>
          {m.giftChangeLogin()} {loginLink}
        </p>
      )}
      {/* Replaces the hint, which says almost the same thing. */}
      <Problem>
        {needsLogin && (
          <>
            {form.problem} {loginLink}
          </>
        )}
      </Problem>
    </FormDialog>
  );
}

type ChargeWithFeeProps = { initialAmount: string; text: string; gift: RecurringGift; interval: GiftInterval };

/** Charge for a recurring gift, including the covered card fee. */
function ChargeWithFee({ initialAmount, text, gift, interval }: ChargeWithFeeProps) {
  const fee = useCardFee();
  const isUnchanged = text.trim() === initialAmount;
  if (!isUnchanged && !isWholeDollars(parseDollarsOrNaN(text))) return null;
  const amount = toCents(parseDollarsOrNaN(text));
  const addedFee = isUnchanged ? toCents(gift.coveredFee) : fee && calculateFeeToAdd(amount, fee);
  if (addedFee === undefined) return null;
  const sum = `${formatCents(amount + (addedFee ?? 0))} ${formatInterval(interval)}`;
  return addedFee === null ? m.giftChangeNoFee({ sum }) : m.giftChangeWithFee({ fee: formatCents(addedFee), sum });
}

function toInterval({ recurring, interval }: Recurrence): GiftInterval {
  return { unit: recurring === 'year' ? 'year' : 'month', count: interval };
}

/** NaN if the text isn't a number. */
function parseDollarsOrNaN(text: string): number {
  const dollars = parseDollars(text);
  return typeof dollars === 'number' ? dollars : Number.NaN;
}

function toCents(dollars: number): Cents {
  return toUnits(decimal(dollars), 2);
}

function isWholeDollars(dollars: number): boolean {
  return Number.isSafeInteger(dollars) && dollars >= 1;
}
