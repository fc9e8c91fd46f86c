import { MAXIMUM_MONTHS, type Recurring } from '#domain/cart.ts';
import { m } from '#messages';
import styles from './choice.module.css';
import { Select } from './choice.tsx';

/** Once, or every `interval` months or years. */
export type Recurrence = { readonly recurring: Recurring; readonly interval: number };

/** The four choices a donor has (decisions §3). */
type RecurrenceKind = 'once' | 'monthly' | 'yearly' | 'months';

export const RECURRENCE_KINDS: readonly { readonly value: RecurrenceKind; readonly label: string }[] = [
  { value: 'once', label: m.recurrenceOnce() },
  { value: 'monthly', label: m.recurrenceMonthly() },
  { value: 'yearly', label: m.recurrenceYearly() },
  { value: 'months', label: m.recurrenceMonths() },
];

export const ONCE: Recurrence = { recurring: 'no', interval: 1 };

/** Initial months of "every N months". */
const FIRST_MONTHS = 3;

/** 1 is missing because it is "Monthly". */
export const MONTHS: readonly number[] = Array.from({ length: MAXIMUM_MONTHS - 1 }, (_, index) => index + 2);

export function kindOf({ recurring, interval }: Recurrence): RecurrenceKind {
  if (recurring === 'no') return 'once';
  if (recurring === 'year') return 'yearly';
  return interval === 1 ? 'monthly' : 'months';
}

/** Keeps the previous number of months. */
export function recurrenceOf(kind: RecurrenceKind, previous: Recurrence = ONCE): Recurrence {
  if (kind === 'once') return ONCE;
  if (kind === 'yearly') return { recurring: 'year', interval: 1 };
  if (kind === 'monthly') return { recurring: 'month', interval: 1 };
  return { recurring: 'month', interval: kindOf(previous) === 'months' ? previous.interval : FIRST_MONTHS };
}

const MONTH_OPTIONS = MONTHS.map((months) => ({ value: String(months), label: m.monthCount({ count: months }) }));

type RecurrenceSelectProps = {
  /** For screen readers: "Air travel". */
  itemName: string;
  value: Recurrence;
  onChange: (recurrence: Recurrence) => void;
};

/** A select for the recurrence of a gift (decisions §3). */
export function RecurrenceSelect({ itemName, value, onChange }: RecurrenceSelectProps) {
  const kind = kindOf(value);
  return (
    <span className={styles.line}>
      <Select
        label={m.recurrenceOf({ of: itemName })}
        options={RECURRENCE_KINDS}
        value={kind}
        onChange={({ currentTarget }) => {
          const option = RECURRENCE_KINDS.find((known) => known.value === currentTarget.value);
          if (option) onChange(recurrenceOf(option.value, value));
        }}
      />
      {kind === 'months' && <MonthsSelect value={value} onChange={onChange} />}
    </span>
  );
}

/** The N of "every N months". */
export function MonthsSelect({ value, onChange }: Pick<RecurrenceSelectProps, 'value' | 'onChange'>) {
  return (
    <Select
      label={m.recurrenceBetween()}
      options={MONTH_OPTIONS}
      value={String(value.interval)}
      onChange={({ currentTarget }) => onChange({ recurring: 'month', interval: Number(currentTarget.value) })}
    />
  );
}
