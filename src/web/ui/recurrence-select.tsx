import { kindOf, MONTHS, RECURRENCE_KINDS, type Recurrence, recurrenceOf } from './recurrence.ts';
import styles from './recurrence-select.module.css';
import { Select } from './select.tsx';

const MONTH_OPTIONS = MONTHS.map((months) => ({ value: String(months), label: `${months} months` }));

type RecurrenceSelectProps = {
  /** What is given, for those who listen: "Air travel". */
  of: string;
  value: Recurrence;
  onChange: (recurrence: Recurrence) => void;
};

/** How often one thing is given, in little room (decisions §3). */
export function RecurrenceSelect({ of, value, onChange }: RecurrenceSelectProps) {
  const kind = kindOf(value);
  return (
    <span className={styles.line}>
      <Select
        label={`How often: ${of}`}
        options={RECURRENCE_KINDS}
        value={kind}
        onChange={({ currentTarget }) => {
          const chosen = RECURRENCE_KINDS.find((known) => known.value === currentTarget.value);
          if (chosen) onChange(recurrenceOf(chosen.value, value));
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
      label="Months between gifts"
      options={MONTH_OPTIONS}
      value={String(value.interval)}
      onChange={({ currentTarget }) => onChange({ recurring: 'month', interval: Number(currentTarget.value) })}
    />
  );
}
