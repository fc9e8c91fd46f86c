import { REASON_MAXIMUM } from '#domain/books.ts';
import { TextArea } from '#web/ui/field.tsx';

type ReasonFieldProps = {
  /** Who can read it. */
  hint: string;
  form: {
    readonly values: { readonly reason: string };
    readonly change: (part: { readonly reason: string }) => void;
    readonly errorOf: (field: 'reason', isEmpty: boolean) => string | undefined;
    readonly leave: (field: 'reason') => void;
  };
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
