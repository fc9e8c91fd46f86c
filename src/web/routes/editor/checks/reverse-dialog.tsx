import { type SubmitEvent, useId } from 'react';
import type { Pledge } from '#contract/schemas/pledges.ts';
import { REASON_MAXIMUM, reasonFailure } from '#domain/books.ts';
import type { Reversal } from '#domain/check.ts';
import { formatDollars } from '#domain/money.ts';
import { useForm } from '#web/api/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/field.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';

const CAUSES: readonly { readonly value: Reversal; readonly label: string; readonly hint: string }[] = [
  { value: 'bounced', label: 'It bounced', hint: 'The bank returned it unpaid. It stays listed as bounced.' },
  {
    value: 'mistake',
    label: 'It was recorded by mistake',
    hint: 'It goes back to the checks we wait for, where it can be marked received again or canceled.',
  },
];

type ReverseDialogProps = {
  pledge: Pledge;
  onReverse: (because: Reversal, reason: string) => Promise<void>;
  onClose: () => void;
};

/** Takes a received check out of the totals. */
export function ReverseDialog({ pledge, onReverse, onClose }: ReverseDialogProps) {
  const formId = useId();
  const { values, change, errorOf, leave, submit, busy, problem } = useForm<
    { because: Reversal; reason: string },
    'reason'
  >({
    initial: { because: 'bounced', reason: '' },
    fields: ['reason'],
    problemsOf: ({ reason }) => {
      const failure = reasonFailure(reason);
      return failure ? { reason: failure.message } : {};
    },
  });
  const submitted = (event: SubmitEvent) => {
    event.preventDefault();
    void submit(() => onReverse(values.because, values.reason.trim()));
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button kind="danger" type="submit" form={formId} busy={busy}>
        Reverse check
      </Button>
    </>
  );
  return (
    <Dialog title="Reverse check" open onClose={() => !busy && onClose()} footer={footer}>
      <form id={formId} onSubmit={submitted} noValidate>
        <Stack>
          <p>
            This takes {formatDollars(pledge.receivedAmount ?? pledge.amount)} from {pledge.name ?? 'a deleted account'}{' '}
            out of the ledger’s balance and the totals. Both entries stay in the ledger, and the receipt gets a note.
          </p>
          <ChoiceGroup
            legend="Why?"
            options={CAUSES}
            value={values.because}
            disabled={busy}
            onChange={(because) => change({ because })}
          />
          <TextArea
            name="reason"
            label="Reason"
            rows={2}
            maxLength={REASON_MAXIMUM}
            hint="Only the editors can read it."
            value={values.reason}
            error={errorOf('reason', values.reason === '')}
            onBlur={() => leave('reason')}
            onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
          />
          <Problem>{problem}</Problem>
        </Stack>
      </form>
    </Dialog>
  );
}
