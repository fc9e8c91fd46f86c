import { useId } from 'react';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import { formatDollars } from '#domain/money.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { localDay } from '../local-day.ts';
import styles from '../treasury.module.css';
import { AmountField, ReceivedFields } from './check-fields.tsx';
import { receivedCheck, receivedProblems } from './check-form.ts';
import { useCheckForm } from './use-check-form.ts';

type ReceiveDialogProps = {
  pledge: Pledge;
  onReceive: (check: ReceivedCheck) => Promise<void>;
  onClose: () => void;
};

/** Asks for what is written on a check that came, before it counts. */
export function ReceiveDialog({ pledge, onReceive, onClose }: ReceiveDialogProps) {
  const formId = useId();
  const first = { amount: pledge.amount.toFixed(2), receivedOn: localDay(), checkNumber: '', note: '' };
  const { problem, busy, submit, ...fields } = useCheckForm(first, receivedProblems, (form) =>
    onReceive(receivedCheck(form)),
  );
  const props = { form: fields.form, onChange: fields.change, errorOf: fields.errorOf, leave: fields.leave };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} busy={busy}>
        Receive
      </Button>
    </>
  );
  return (
    <Dialog title="Receive check" open onClose={() => !busy && onClose()} footer={footer}>
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate className={styles.fields}>
        <p>
          {pledge.name ?? 'Somebody'} promised {formatDollars(pledge.amount)}. Once it is received it counts in the
          ledger and the stats, which cannot be undone{pledge.email === null ? '.' : ', and a receipt is mailed.'}
        </p>
        <AmountField {...props} />
        <ReceivedFields {...props} />
        <Problem>{problem}</Problem>
      </form>
    </Dialog>
  );
}
