import { MAX_REASON_LENGTH } from '#domain/books.ts';
import type { FieldProps } from '#web/forms/use-form.ts';
import { TextArea, TextField } from '#web/ui/field.tsx';

/** A form that has this field. */
type FormWith<Field extends string> = { readonly fieldProps: (name: Field) => FieldProps };

type AmountFieldProps = { hint?: string; form: FormWith<'amount'> };

/** Dollars and cents. */
export function AmountField({ hint, form }: AmountFieldProps) {
  return (
    <TextField
      label="Amount"
      prefix="$"
      inputMode="decimal"
      autoComplete="off"
      hint={hint}
      {...form.fieldProps('amount')}
    />
  );
}

type ReasonFieldProps = {
  /** States who can read the reason. */
  hint: string;
  form: FormWith<'reason'>;
};

/** Reason for a change. It stays on record. */
export function ReasonField({ hint, form }: ReasonFieldProps) {
  return <TextArea label="Reason" rows={2} maxLength={MAX_REASON_LENGTH} hint={hint} {...form.fieldProps('reason')} />;
}
