import { type ChangeEvent, useId, useState } from 'react';
import type { Grant } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { reasonFailure } from '#domain/books.ts';
import { type Day, dayOf } from '#domain/days.ts';
import { GRANT_FIELDS, GRANT_TEXT_MAXIMUM, grantDayFailure, MEASURES, METHODS } from '#domain/grant.ts';
import { formatDollars } from '#domain/money.ts';
import { useForm } from '#web/api/use-form.ts';
import { Checkbox } from '#web/ui/choice.tsx';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { amountProblem, typedAmount } from '../checks/check-form.ts';
import { AmountField, ReasonField } from '../payment-fields.tsx';
import { useDates } from '../use-dates.ts';
import {
  draftOf,
  draftProblems,
  FIELD_LABELS,
  factsOf,
  GRANT_FORM,
  type GrantDraft,
  type GrantFormField,
  MEASURE_LABELS,
  METHOD_LABELS,
} from './grant-form.ts';
import styles from './grants.module.css';

/** The day when the dialog was opened, where the organization is. */
function useToday(): Day {
  const { zone } = useDates();
  return useState(() => dayOf(new Date(), zone))[0];
}

type GrantDialogProps = {
  /** Undefined while it is being added. */
  grant: Grant | undefined;
  awardeeid: string;
  installers: readonly string[];
  onSave: (id: string, facts: BodyInput<'saveGrant'>) => Promise<void>;
  onClose: () => void;
};

/** Form for the facts of a grant. */
export function GrantDialog({ grant, awardeeid, installers, onSave, onClose }: GrantDialogProps) {
  const today = useToday();
  // The same id for every attempt: if a response is lost, trying again does not add the grant twice.
  const [id] = useState(() => grant?.id ?? crypto.randomUUID());
  const form = useForm<GrantDraft, GrantFormField>({
    initial: draftOf(grant, today),
    fields: GRANT_FORM,
    problemsOf: (draft) => draftProblems(draft, today),
  });
  const { values, change, errorOf, leave, busy, problem, submit } = form;
  const names = useId();
  const isInBooks = grant !== undefined && grant.entryid !== null;
  const typing = (field: Exclude<GrantFormField, 'measures'>) => ({
    name: field,
    autoComplete: 'off',
    value: values[field],
    error: errorOf(field, values[field] === ''),
    onBlur: () => leave(field),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => change({ [field]: currentTarget.value }),
  });
  return (
    <FormDialog
      title={grant ? 'Edit grant' : 'Add a grant'}
      confirm="Save"
      busy={busy}
      problem={problem}
      onClose={onClose}
      onSubmit={() => void submit(() => onSave(id, factsOf(values, awardeeid)))}
    >
      <TextField label="Applied on" type="date" {...typing('appliedOn')} />
      <TextField
        label="Amount"
        prefix="$"
        inputMode="decimal"
        disabled={isInBooks}
        hint={
          isInBooks ? 'This amount is in the books. Undo the payment and cancel the promise to change it.' : undefined
        }
        {...typing('amount')}
      />
      <Checks
        legend="What it pays for"
        options={MEASURES}
        labels={MEASURE_LABELS}
        chosen={values.measures}
        error={errorOf('measures', values.measures.length === 0)}
        onChange={(measures) => change({ measures })}
      />
      <TextField
        label="Installer (optional)"
        maxLength={GRANT_TEXT_MAXIMUM}
        list={names}
        hint="Pick one from your Installers page to link it."
        {...typing('installer')}
      />
      <datalist id={names}>
        {installers.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <div className={styles.pair}>
        <TextField label="Expected pounds of CO₂ per year" inputMode="decimal" {...typing('yearlyPounds')} />
        <TextField label="For how many years" inputMode="numeric" {...typing('years')} />
      </div>
      <SelectField
        label="How it was estimated"
        options={METHODS.map((value) => ({ value, label: METHOD_LABELS[value] }))}
        value={values.method}
        onChange={({ currentTarget }) =>
          change({ method: METHODS.find((each) => each === currentTarget.value) ?? 'audit' })
        }
      />
      <TextField
        label="Source"
        maxLength={GRANT_TEXT_MAXIMUM}
        hint="The audit, the model or the publication, with its date."
        {...typing('methodSource')}
      />
      <div className={styles.pair}>
        <TextField
          label="Other public funding (optional)"
          prefix="$"
          inputMode="decimal"
          hint="If there is any, only your share of the savings counts."
          {...typing('otherMoney')}
        />
        <TextField label="From whom" maxLength={GRANT_TEXT_MAXIMUM} {...typing('otherSource')} />
      </div>
      {values.otherMoney.trim() !== '' && (
        <TextField
          label="Reason to count all of the savings (optional)"
          maxLength={GRANT_TEXT_MAXIMUM}
          hint="Only if no one else counts any of it. Donors can see this reason."
          {...typing('claimsAllBecause')}
        />
      )}
      <Checks
        legend="What the household agreed to show publicly"
        options={GRANT_FIELDS}
        labels={FIELD_LABELS}
        chosen={values.shown}
        onChange={(shown) => change({ shown })}
      />
    </FormDialog>
  );
}

type ChecksProps<Value extends string> = {
  legend: string;
  options: readonly Value[];
  labels: Readonly<Record<Value, string>>;
  chosen: readonly Value[];
  error?: string | undefined;
  onChange: (chosen: readonly Value[]) => void;
};

/** Any number of a few options. */
function Checks<Value extends string>({ legend, options, labels, chosen, error, onChange }: ChecksProps<Value>) {
  const id = useId();
  return (
    <fieldset className={styles.group} aria-describedby={id}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <Checkbox
          key={option}
          checked={chosen.includes(option)}
          aria-invalid={error === undefined ? undefined : true}
          onChange={({ currentTarget }) =>
            onChange(options.filter((each) => (each === option ? currentTarget.checked : chosen.includes(each))))
          }
        >
          {labels[option]}
        </Checkbox>
      ))}
      <p id={id} role="alert" className={styles.error}>
        {error}
      </p>
    </fieldset>
  );
}

type MoneyDialogProps = {
  grant: Grant;
  step: 'promise' | 'pay';
  onSend: (on: Day, amount: number) => Promise<void>;
  onClose: () => void;
};

/** Promises a grant, or notes that it was paid. */
export function MoneyDialog({ grant, step, onSend, onClose }: MoneyDialogProps) {
  const today = useToday();
  const isPayment = step === 'pay';
  const form = useForm<{ on: Day; amount: string }, 'on' | 'amount'>({
    initial: { on: today, amount: grant.amount.toFixed(2) },
    fields: ['on', 'amount'],
    problemsOf: ({ on, amount }) => {
      const day = grantDayFailure(on, grant.promisedOn ?? grant.appliedOn, today);
      return {
        ...(day ? { on: day.message } : {}),
        ...(typedAmount(amount) === undefined ? { amount: amountProblem(amount) } : {}),
      };
    },
  });
  const { values, change, errorOf, leave, busy, problem, submit } = form;
  return (
    <FormDialog
      busy={busy}
      problem={problem}
      onClose={onClose}
      title={isPayment ? 'Grant paid' : 'Promise grant'}
      confirm={isPayment ? 'Record payment' : 'Promise'}
      onSubmit={() => void submit(() => onSend(values.on, typedAmount(values.amount) ?? 0))}
    >
      <p>
        {isPayment
          ? `Records the payment to ${grant.awardee}. The oldest gifts are applied to it first.`
          : `Sets ${formatDollars(grant.amount)} aside for ${grant.awardee}, so it isn’t granted twice.`}
      </p>
      {isPayment && <AmountField form={form} />}
      <TextField
        name="on"
        label={isPayment ? 'Paid on' : 'Promised on'}
        type="date"
        value={values.on}
        error={errorOf('on', values.on === '')}
        onBlur={() => leave('on')}
        onChange={({ currentTarget }) => change({ on: currentTarget.value })}
      />
    </FormDialog>
  );
}

type WorkDialogProps = {
  grant: Grant;
  onSend: (doneOn: Day | null, inspectedOn: Day | null) => Promise<void>;
  onClose: () => void;
};

/** When the work was done and inspected. */
export function WorkDialog({ grant, onSend, onClose }: WorkDialogProps) {
  const today = useToday();
  const form = useForm<{ doneOn: string; inspectedOn: string }, 'doneOn' | 'inspectedOn'>({
    initial: { doneOn: grant.doneOn ?? '', inspectedOn: grant.inspectedOn ?? '' },
    fields: ['doneOn', 'inspectedOn'],
    problemsOf: ({ doneOn, inspectedOn }) => {
      const done = doneOn === '' ? undefined : grantDayFailure(doneOn, grant.appliedOn, today);
      const inspected = inspectedOn === '' ? undefined : grantDayFailure(inspectedOn, doneOn || null, today);
      return {
        ...(done ? { doneOn: done.message } : {}),
        ...(inspected ? { inspectedOn: inspected.message } : {}),
      };
    },
  });
  const { values, change, errorOf, leave, busy, problem, submit } = form;
  const dayField = (name: 'doneOn' | 'inspectedOn', label: string) => (
    <TextField
      name={name}
      label={label}
      type="date"
      value={values[name]}
      error={errorOf(name, values[name] === '')}
      onBlur={() => leave(name)}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  return (
    <FormDialog
      title="Work on the home"
      confirm="Save"
      busy={busy}
      problem={problem}
      onClose={onClose}
      onSubmit={() => void submit(() => onSend(values.doneOn || null, (values.doneOn && values.inspectedOn) || null))}
    >
      <p>Savings count from the day the work was done. Leave a date empty if it hasn’t happened yet.</p>
      {dayField('doneOn', 'Work done on')}
      {dayField('inspectedOn', 'Inspected on')}
    </FormDialog>
  );
}

type TakeBackDialogProps = { grant: Grant; onTakeBack: (reason: string) => Promise<void>; onClose: () => void };

/** Takes back a payment, or else a promise. */
export function TakeBackDialog({ grant, onTakeBack, onClose }: TakeBackDialogProps) {
  const form = useForm<{ reason: string }, 'reason'>({
    initial: { reason: '' },
    fields: ['reason'],
    problemsOf: ({ reason }) => {
      const failure = reasonFailure(reason);
      return failure ? { reason: failure.message } : {};
    },
  });
  const { values, submit, busy, problem } = form;
  const isPaid = grant.paidOn !== null;
  return (
    <FormDialog
      busy={busy}
      problem={problem}
      onClose={onClose}
      title={isPaid ? 'Undo payment' : 'Cancel promise'}
      confirm={isPaid ? 'Undo payment' : 'Cancel promise'}
      destructive
      onSubmit={() => void submit(() => onTakeBack(values.reason.trim()))}
    >
      <p>
        {isPaid
          ? 'For a payment that was returned or recorded by mistake. Its gifts become available for other homes. Both entries stay in the books.'
          : 'The money becomes available for other grants. Both entries stay in the books.'}
      </p>
      <ReasonField hint="Only team members can see it." form={form} />
    </FormDialog>
  );
}

type DeleteDialogProps = { grant: Grant; onDelete: () => Promise<void>; onClose: () => void };

export function DeleteDialog({ grant, onDelete, onClose }: DeleteDialogProps) {
  const { busy, problem, submit } = useForm<object, never>({ initial: {}, fields: [] });
  return (
    <FormDialog
      title="Delete grant"
      confirm="Delete"
      busy={busy}
      problem={problem}
      onClose={onClose}
      destructive
      onSubmit={() => void submit(onDelete)}
    >
      <p>
        The application of {grant.awardee} for {formatDollars(grant.amount)} will be gone.
      </p>
    </FormDialog>
  );
}
