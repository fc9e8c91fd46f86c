import { REASON_MAXIMUM } from '#domain/books.ts';
import { TextArea, TextField } from '#web/ui/field.tsx';

/** A form (use-form.ts) that has this field. */
type FormWith<Field extends string> = {
  readonly values: Readonly<Record<Field, string>>;
  readonly change: (part: Readonly<Record<Field, string>>) => void;
  readonly errorOf: (field: Field, isEmpty: boolean) => string | undefined;
  readonly leave: (field: Field) => void;
};

type AmountFieldProps = { hint?: string; form: FormWith<'amount'> };

/** Dollars and cents. */
export function AmountField({ hint, form: { values, change, errorOf, leave } }: AmountFieldProps) {
  return (
    <TextField
      name="amount"
      label="Amount"
      prefix="$"
      inputMode="decimal"
      autoComplete="off"
      hint={hint}
      value={values.amount}
      error={errorOf('amount', values.amount === '')}
      onBlur={() => leave('amount')}
      onChange={({ currentTarget }) => change({ amount: currentTarget.value })}
    />
  );
}

type ReasonFieldProps = {
  /** States who can read the reason. */
  hint: string;
  form: FormWith<'reason'>;
};

/** Why money goes back, or a check is reversed. */
export function ReasonField({ hint, form: { values, change, errorOf, leave } }: ReasonFieldProps) {
  return (
    <TextArea
      name="reason"
      label="Reason"
      rows={2}
      maxLength={REASON_MAXIMUM}
      hint={hint}
      value={values.reason}
      error={errorOf('reason', values.reason === '')}
      onBlur={() => leave('reason')}
      onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
    />
  );
}
