import { useState } from 'react';
import type { RecurringGift } from '#contract/schemas/recurring-gifts.ts';
import { type GiftInterval, MAXIMUM_MONTHS } from '#domain/cart.ts';
import { sentenceOf } from '#domain/failures.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Select } from '#web/ui/choice.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { NumberField } from '#web/ui/field.tsx';
import { Stack } from '#web/ui/layout.tsx';

export type NewTerms = GiftInterval & { readonly amount?: number };

type ChangeDialogProps = {
  gift: RecurringGift;
  onChange: (terms: NewTerms) => Promise<void>;
  onClose: () => void;
};

const INTERVALS = [
  { value: 'month 1', label: 'Every month' },
  ...Array.from({ length: MAXIMUM_MONTHS - 1 }, (_, index) => ({
    value: `month ${index + 2}`,
    label: `Every ${index + 2} months`,
  })),
  { value: 'year 1', label: 'Every year' },
];

/** How much a donor gives each time, and how often. */
export function ChangeDialog({ gift, onChange, onClose }: ChangeDialogProps) {
  const before = gift.amount === null ? '' : String(gift.amount);
  const [amount, setAmount] = useState(before);
  const [interval, setInterval] = useState(`${gift.unit ?? 'month'} ${gift.count ?? 1}`);
  const [refusal, setRefusal] = useState<string>();
  const { busy, problem, run } = useAttempt();
  const confirm = () => {
    // An amount with cents, such as that of an offset, may stay.
    const dollars = amount.trim() === before ? undefined : Number(amount.replace(/^\$|,/g, ''));
    const wrong = dollars === undefined ? undefined : refusalOf(dollars);
    setRefusal(wrong);
    if (wrong !== undefined) return;
    const [unit, count] = interval.split(' ');
    const every: GiftInterval = { unit: unit === 'year' ? 'year' : 'month', count: Number(count) };
    void run(() => onChange(dollars === undefined ? every : { ...every, amount: dollars }));
  };
  return (
    <ConfirmDialog
      title="Change your gift"
      confirm="Save"
      busy={busy}
      problem={problem}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Stack>
        <NumberField
          label="Dollars each time"
          prefix="$"
          value={amount}
          error={refusal}
          onChange={({ currentTarget }) => {
            setAmount(currentTarget.value);
            setRefusal(undefined);
          }}
        />
        <Select
          label="How often"
          options={INTERVALS}
          value={interval}
          onChange={({ currentTarget }) => setInterval(currentTarget.value)}
        />
        <p>Nothing is charged now. The next charge stays on its day.</p>
      </Stack>
    </ConfirmDialog>
  );
}

function refusalOf(dollars: number): string | undefined {
  return Number.isSafeInteger(dollars) && dollars >= 1 ? undefined : sentenceOf('amount-not-whole-dollars');
}
