import { CHECK_NUMBER_MAXIMUM, NOTE_MAXIMUM } from '#domain/check.ts';
import { TextArea, TextField } from '#web/ui/field.tsx';
import type { CheckField, ReceivedForm } from './check-form.ts';

export type FieldProps<Form> = {
  form: Form;
  onChange: (change: Partial<Form>) => void;
  errorOf: (field: CheckField, isEmpty: boolean) => string | undefined;
  leave: (field: CheckField) => void;
};

/** How much a check is about. */
export function AmountField({ form, onChange, errorOf, leave }: FieldProps<ReceivedForm>) {
  return (
    <TextField
      name="amount"
      label="Amount"
      prefix="$"
      inputMode="decimal"
      autoComplete="off"
      value={form.amount}
      error={errorOf('amount', form.amount === '')}
      onBlur={() => leave('amount')}
      onChange={({ currentTarget }) => onChange({ amount: currentTarget.value })}
    />
  );
}

/** When a check came, and what is written on it. */
export function ReceivedFields({ form, onChange, errorOf, leave }: FieldProps<ReceivedForm>) {
  return (
    <>
      <TextField
        name="receivedOn"
        label="Received on"
        type="date"
        value={form.receivedOn}
        error={errorOf('receivedOn', false)}
        onBlur={() => leave('receivedOn')}
        onChange={({ currentTarget }) => onChange({ receivedOn: currentTarget.value })}
      />
      <TextField
        name="checkNumber"
        label="Check number (if you like)"
        autoComplete="off"
        maxLength={CHECK_NUMBER_MAXIMUM}
        value={form.checkNumber}
        error={errorOf('checkNumber', form.checkNumber === '')}
        onBlur={() => leave('checkNumber')}
        onChange={({ currentTarget }) => onChange({ checkNumber: currentTarget.value })}
      />
      <TextArea
        name="note"
        label="Note for the editors (if you like)"
        rows={2}
        maxLength={NOTE_MAXIMUM}
        value={form.note}
        error={errorOf('note', form.note === '')}
        onBlur={() => leave('note')}
        onChange={({ currentTarget }) => onChange({ note: currentTarget.value })}
      />
    </>
  );
}
