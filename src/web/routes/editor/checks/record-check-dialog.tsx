import { useId } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { localDay } from '../local-day.ts';
import styles from '../treasury.module.css';
import { AmountField, ReceivedFields } from './check-fields.tsx';
import { type RecordForm, recordProblems } from './check-form.ts';
import { useCheckForm } from './use-check-form.ts';

type RecordCheckDialogProps = { onRecord: (form: RecordForm) => Promise<void>; onClose: () => void };

const PLACES = [
  { value: 'under-way', label: 'It is on its way', hint: 'It waits until you receive it.' },
  { value: 'here', label: 'I have it in hand', hint: 'It counts at once, and a receipt is made.' },
] as const;

/** Writes down a check that somebody told of, or that came without a word before. */
export function RecordCheckDialog({ onRecord, onClose }: RecordCheckDialogProps) {
  const formId = useId();
  const first: RecordForm = {
    name: '',
    email: '',
    amount: '',
    isHere: false,
    receivedOn: localDay(),
    checkNumber: '',
    note: '',
  };
  const { form, change, errorOf, leave, problem, busy, submit } = useCheckForm(first, recordProblems, onRecord);
  const props = { form, onChange: change, errorOf, leave };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} busy={busy}>
        Record
      </Button>
    </>
  );
  return (
    <Dialog title="Record a check" open onClose={() => !busy && onClose()} footer={footer}>
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate className={styles.fields}>
        <TextField
          name="name"
          label="Name"
          autoComplete="off"
          value={form.name}
          error={errorOf('name', form.name === '')}
          onBlur={() => leave('name')}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <TextField
          name="email"
          label="Email (for the receipt)"
          type="email"
          autoComplete="off"
          value={form.email}
          error={errorOf('email', form.email === '')}
          onBlur={() => leave('email')}
          onChange={({ currentTarget }) => change({ email: currentTarget.value })}
        />
        <AmountField {...props} />
        <ChoiceGroup
          legend="Where is the check?"
          options={PLACES}
          value={form.isHere ? 'here' : 'under-way'}
          onChange={(place) => change({ isHere: place === 'here' })}
        />
        {form.isHere && <ReceivedFields {...props} />}
        <Problem>{problem}</Problem>
      </form>
    </Dialog>
  );
}
