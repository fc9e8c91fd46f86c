import { type ReactNode, useState } from 'react';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import { CHECK_NUMBER_MAXIMUM, NOTE_MAXIMUM } from '#domain/check.ts';
import { formatDollars } from '#domain/money.ts';
import { type FieldProps, useForm } from '#web/api/use-form.ts';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { AmountField } from '../payment-fields.tsx';
import { useToday } from '../use-dates.ts';
import {
  CHECK_FIELDS,
  type CheckField,
  type CheckProblems,
  type ReceivedForm,
  type RecordForm,
  receivedCheck,
  receivedProblems,
  recordProblems,
} from './check-form.ts';

type ReceiveDialogProps = {
  pledge: Pledge;
  onReceive: (check: ReceivedCheck) => Promise<void>;
  onClose: () => void;
};

/** Asks for the details of a received check before it is recorded in the ledger. */
export function ReceiveDialog({ pledge, onReceive, onClose }: ReceiveDialogProps) {
  const today = useToday();
  const form = useCheckForm(
    { amount: pledge.amount.toFixed(2), receivedOn: today, checkNumber: '', note: '' },
    (values) => receivedProblems(values, today),
  );
  return (
    <CheckDialog
      title="Mark check received"
      confirm="Mark received"
      form={form}
      onSubmit={() => onReceive(receivedCheck(form.values))}
      onClose={onClose}
    >
      <p>
        {pledge.name ?? 'A deleted account'} pledged {formatDollars(pledge.amount)}. This adds it to the ledger and the
        totals{pledge.email === null ? '' : ' and emails a receipt'}. If it bounces or was a mistake, you can reverse
        it.
      </p>
      <AmountField form={form} />
      <ReceivedFields form={form} />
    </CheckDialog>
  );
}

type RecordCheckDialogProps = { onRecord: (id: string, form: RecordForm) => Promise<void>; onClose: () => void };

const PLACES = [
  { value: 'on-its-way', label: 'It’s on its way', hint: 'We’ll list it until you mark it received.' },
  { value: 'here', label: 'I have it', hint: 'Counts right away. If you enter an email, we send a receipt.' },
] as const;

/** Records a check that no one pledged on the site. */
export function RecordCheckDialog({ onRecord, onClose }: RecordCheckDialogProps) {
  const today = useToday();
  const form = useCheckForm<RecordForm>(
    { name: '', email: '', amount: '', isHere: false, receivedOn: today, checkNumber: '', note: '' },
    (values) => recordProblems(values, today),
  );
  // The same id for every attempt: if a response is lost, trying again does not record the check twice.
  const [id] = useState(() => crypto.randomUUID());
  const { values, change, fieldProps } = form;
  return (
    <CheckDialog
      title="Record a check"
      confirm="Record"
      form={form}
      onSubmit={() => onRecord(id, values)}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...fieldProps('name')} />
      <TextField label="Email (for the receipt)" type="email" autoComplete="off" {...fieldProps('email')} />
      <AmountField form={form} />
      <ChoiceGroup
        legend="Where is the check?"
        options={PLACES}
        value={values.isHere ? 'here' : 'on-its-way'}
        onChange={(place) => change({ isHere: place === 'here' })}
      />
      {values.isHere && <ReceivedFields form={form} />}
    </CheckDialog>
  );
}

function useCheckForm<Form extends ReceivedForm>(initial: Form, problemsOf: (form: Form) => CheckProblems) {
  return useForm<Form, CheckField>({ initial, fields: CHECK_FIELDS, problemsOf });
}

type CheckDialogProps = {
  title: string;
  confirm: string;
  form: Pick<ReturnType<typeof useForm<ReceivedForm, CheckField>>, 'busy' | 'problem' | 'submit'>;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
};

function CheckDialog({ title, confirm, form, onSubmit, onClose, children }: CheckDialogProps) {
  const { busy, problem, submit } = form;
  return (
    <FormDialog
      title={title}
      confirm={confirm}
      busy={busy}
      problem={problem}
      onClose={onClose}
      onSubmit={() => void submit(onSubmit)}
    >
      {children}
    </FormDialog>
  );
}

type FieldsProps = { form: { readonly fieldProps: (name: keyof ReceivedForm) => FieldProps } };

function ReceivedFields({ form: { fieldProps } }: FieldsProps) {
  return (
    <>
      <TextField label="Received on" type="date" {...fieldProps('receivedOn')} />
      <TextField
        label="Check number (optional)"
        autoComplete="off"
        maxLength={CHECK_NUMBER_MAXIMUM}
        {...fieldProps('checkNumber')}
      />
      <TextArea label="Note for the editors (optional)" rows={2} maxLength={NOTE_MAXIMUM} {...fieldProps('note')} />
    </>
  );
}
