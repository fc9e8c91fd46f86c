import { useState } from 'react';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import { MAX_CHECK_NUMBER_LENGTH, MAX_NOTE_LENGTH } from '#domain/check.ts';
import { MAX_POSTAL_ADDRESS_LENGTH } from '#domain/donor.ts';
import { formatDollars } from '#domain/money.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { type FieldProps, useForm } from '#web/forms/use-form.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { AmountField } from '../payment-fields.tsx';
import { useToday } from '../use-dates.ts';
import {
  CHECK_FIELDS,
  type CheckField,
  type CheckProblems,
  createEmptyCheck,
  findReceivedProblems,
  findRecordProblems,
  type ReceivedForm,
  type RecordForm,
  type RepeatedInput,
  toReceivedCheck,
} from './check-form.ts';
import { useCheckActions } from './use-check-actions.ts';
import { useClosedMonthHint } from './use-closed-month-hint.ts';

type ReceiveDialogProps = {
  orgId: string;
  pledge: Pledge;
  onReceive: (check: ReceivedCheck) => Promise<void>;
  onClose: () => void;
};

/** Asks for the details of a received check before it is recorded in the ledger. */
export function ReceiveDialog({ orgId, pledge, onReceive, onClose }: ReceiveDialogProps) {
  const today = useToday();
  const form = useCheckForm<ReceivedForm>(
    { amount: pledge.amount.toFixed(2), receivedOn: today, checkNumber: '', note: '', allowDuplicate: false },
    (values) => findReceivedProblems(values, today),
  );
  return (
    <FormDialog
      title="Mark check received"
      confirmLabel="Mark received"
      form={form}
      onSubmit={() => onReceive(toReceivedCheck(form.values))}
      onClose={onClose}
    >
      <p>
        {pledge.name ?? 'A deleted account'} pledged {formatDollars(pledge.amount)}. This adds it to the ledger and the
        totals{pledge.email === null ? '' : ' and emails a receipt'}. If it bounces or was a mistake, you can reverse
        it.
      </p>
      <AmountField form={form} />
      <ReceivedFields orgId={orgId} form={form} />
    </FormDialog>
  );
}

/** Records checks that weren't pledged on the site, one after another. */
export function RecordChecks({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const { record } = useCheckActions(orgId);
  const today = useToday();
  const createCheck = ({ hasArrived, receivedOn }: RepeatedInput) => ({
    id: crypto.randomUUID(),
    repeatedInput: { hasArrived, receivedOn },
  });
  const [check, setCheck] = useState(() => createCheck({ hasArrived: true, receivedOn: today }));
  return (
    <RecordCheckDialog
      key={check.id}
      orgId={orgId}
      repeatedInput={check.repeatedInput}
      onRecord={async (form, addsAnother) => {
        await record(check.id, form);
        if (addsAnother) setCheck(createCheck(form));
        else onClose();
      }}
      onClose={onClose}
    />
  );
}

type RecordCheckDialogProps = {
  orgId: string;
  repeatedInput: RepeatedInput;
  /** @param addsAnother true to continue with the next check */
  onRecord: (form: RecordForm, addsAnother: boolean) => Promise<void>;
  onClose: () => void;
};

const LOCATION_CHOICES = [
  { value: 'here', label: 'I have it', hint: 'Counts right away. If you enter an email, we send a receipt.' },
  { value: 'on-its-way', label: 'It’s on its way', hint: 'We’ll list it until you mark it received.' },
] as const;

function RecordCheckDialog({ orgId, repeatedInput, onRecord, onClose }: RecordCheckDialogProps) {
  const today = useToday();
  const form = useCheckForm(createEmptyCheck(repeatedInput), (values) => findRecordProblems(values, today));
  const { values, change, fieldProps } = form;
  return (
    <FormDialog
      title="Record a check"
      confirmLabel="Record"
      form={form}
      onSubmit={() => onRecord(values, false)}
      secondaryAction={{ label: 'Record and add another', onSubmit: () => onRecord(values, true) }}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" {...fieldProps('name')} />
      <TextField label="Email for the receipt (optional)" type="email" autoComplete="off" {...fieldProps('email')} />
      <TextArea
        label="Postal address (optional)"
        rows={2}
        maxLength={MAX_POSTAL_ADDRESS_LENGTH}
        {...fieldProps('postalAddress')}
      />
      <AmountField form={form} />
      <ChoiceGroup
        legend="Where is the check?"
        options={LOCATION_CHOICES}
        value={values.hasArrived ? 'here' : 'on-its-way'}
        onChange={(location) => change({ hasArrived: location === 'here' })}
      />
      {values.hasArrived && <ReceivedFields orgId={orgId} form={form} />}
    </FormDialog>
  );
}

function useCheckForm<Form extends ReceivedForm>(initial: Form, validate: (form: Form) => CheckProblems) {
  return useForm<Form, CheckField>({ initial, fields: CHECK_FIELDS, validate, showsAllProblems: true });
}

type FieldsProps = {
  orgId: string;
  form: {
    readonly values: ReceivedForm;
    readonly change: (part: { readonly allowDuplicate: boolean }) => void;
    readonly errorOf: (name: 'allowDuplicate', isEmpty: boolean) => string | undefined;
    readonly fieldProps: (name: 'receivedOn' | 'checkNumber' | 'note') => FieldProps;
  };
};

function ReceivedFields({ orgId, form: { values, change, errorOf, fieldProps } }: FieldsProps) {
  const duplicateProblem = errorOf('allowDuplicate', false);
  return (
    <>
      <TextField
        label="Received on"
        type="date"
        hint={useClosedMonthHint(orgId, values.receivedOn)}
        {...fieldProps('receivedOn')}
      />
      <TextField
        label="Check number (optional)"
        autoComplete="off"
        maxLength={MAX_CHECK_NUMBER_LENGTH}
        {...fieldProps('checkNumber')}
      />
      {(duplicateProblem !== undefined || values.allowDuplicate) && (
        <>
          <Problem>{duplicateProblem}</Problem>
          <Checkbox
            checked={values.allowDuplicate}
            aria-invalid={duplicateProblem !== undefined}
            onChange={({ currentTarget }) => change({ allowDuplicate: currentTarget.checked })}
          >
            This is a different check
          </Checkbox>
        </>
      )}
      <TextArea label="Note for the editors (optional)" rows={2} maxLength={MAX_NOTE_LENGTH} {...fieldProps('note')} />
    </>
  );
}
