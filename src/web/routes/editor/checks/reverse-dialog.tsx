import type { Pledge } from '#contract/schemas/pledges.ts';
import { reasonFailure } from '#domain/books.ts';
import type { ReversalReason } from '#domain/check.ts';
import { formatDollars } from '#domain/money.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { ReasonField } from '../payment-fields.tsx';
import { getPledgeName } from './use-check-actions.ts';

const CAUSES: readonly { readonly value: ReversalReason; readonly label: string; readonly hint: string }[] = [
  { value: 'bounced', label: 'It bounced', hint: 'The bank returned it unpaid. It stays listed as bounced.' },
  {
    value: 'mistake',
    label: 'It was recorded by mistake',
    hint: 'It goes back to the pending checks, where it can be marked received again or canceled.',
  },
];

type ReverseDialogProps = {
  pledge: Pledge;
  onReverse: (reversal: { cause: ReversalReason; reason: string }) => Promise<void>;
  onClose: () => void;
};

/** Reverses a received check, which removes it from the totals. */
export function ReverseDialog({ pledge, onReverse, onClose }: ReverseDialogProps) {
  const form = useForm<{ cause: ReversalReason; reason: string }, 'reason'>({
    initial: { cause: 'bounced', reason: '' },
    fields: ['reason'],
    validate: ({ reason }) => problemsByField({ reason: reasonFailure(reason) }),
  });
  const { values, change } = form;
  return (
    <FormDialog
      title="Reverse check"
      confirmLabel="Reverse check"
      destructive
      form={form}
      onSubmit={() => onReverse({ cause: values.cause, reason: values.reason.trim() })}
      onClose={onClose}
    >
      <p>
        The {formatDollars(pledge.receivedAmount ?? pledge.amount)} from {getPledgeName(pledge.name)} will be subtracted
        from the ledger’s balance and the totals. Both entries stay in the ledger, and the receipt gets a note.
        {pledge.email !== null && values.cause === 'bounced' && ' The donor will be emailed.'}
      </p>
      <ChoiceGroup legend="Why?" options={CAUSES} value={values.cause} onChange={(cause) => change({ cause })} />
      <ReasonField hint="Only editors can see it." form={form} />
    </FormDialog>
  );
}
