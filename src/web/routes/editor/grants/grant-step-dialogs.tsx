import { useState } from 'react';
import type { Grant } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { reasonFailure } from '#domain/books.ts';
import type { Day } from '#domain/days.ts';
import { grantDayFailure } from '#domain/grant.ts';
import { formatDollars } from '#domain/money.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { describeAmountProblem, parseAmount } from '../checks/check-form.ts';
import { AmountField, ReasonField } from '../payment-fields.tsx';
import { useToday } from '../use-dates.ts';
import { WORK_STEP_LABELS } from './grant-labels.ts';

type MoneyDialogProps = {
  grant: Grant;
  step: 'promise' | 'pay';
  /** Dollars available for grants; undefined if unknown. */
  available: number | undefined;
  onSend: (on: Day, amount: number) => Promise<void>;
  onClose: () => void;
};

/** Promises a grant, or records its payment. Asks for confirmation if the available funds don't cover it. */
export function MoneyDialog({ grant, step, available, onSend, onClose }: MoneyDialogProps) {
  const today = useToday();
  const isPayment = step === 'pay';
  const form = useForm<{ on: Day; amount: string }, 'on' | 'amount'>({
    initial: { on: today, amount: grant.amount.toFixed(2) },
    fields: ['on', 'amount'],
    validate: ({ on, amount }) =>
      problemsByField({
        on: grantDayFailure(on, grant.promisedOn ?? grant.appliedOn, today),
        amount: parseAmount(amount) === undefined ? describeAmountProblem(amount) : undefined,
      }),
  });
  const { values, fieldProps } = form;
  const [confirmedExcess, setConfirmedExcess] = useState(0);
  const excess = calculateExcess(grant, (isPayment && parseAmount(values.amount)) || grant.amount, available);
  return (
    <FormDialog
      title={isPayment ? 'Mark grant paid' : 'Promise grant'}
      confirmLabel={isPayment ? 'Record payment' : 'Promise'}
      ready={excess === 0 || excess === confirmedExcess}
      form={form}
      onSubmit={() => onSend(values.on, parseAmount(values.amount) ?? 0)}
      onClose={onClose}
    >
      <p>
        {isPayment
          ? `Records the payment to ${grant.awardee}. The oldest gifts are applied to it first.`
          : `Sets ${formatDollars(grant.amount)} aside for ${grant.awardee}, so it isn’t granted twice.`}
      </p>
      {isPayment && <AmountField form={form} />}
      <TextField label={isPayment ? 'Paid on' : 'Promised on'} type="date" {...fieldProps('on')} />
      {excess > 0 && (
        <Checkbox
          checked={excess === confirmedExcess}
          onChange={({ currentTarget }) => setConfirmedExcess(currentTarget.checked ? excess : 0)}
        >
          This is {formatDollars(excess)} more than is available. Record it anyway.
        </Checkbox>
      )}
    </FormDialog>
  );
}

/**
 * Dollars by which a payment or promise exceeds the available funds. An earlier promise to this home counts as
 * available.
 */
export function calculateExcess(
  { stage, amount: grantAmount }: Pick<Grant, 'stage' | 'amount'>,
  amount: number,
  available = Number.POSITIVE_INFINITY,
): number {
  const availableForHome = stage === 'promised' ? available + grantAmount : available;
  return Math.max(0, Math.round((amount - availableForHome) * 100) / 100);
}

type WorkDialogProps = {
  grant: Grant;
  /** Omits dates that didn't change, because a colleague may have changed them. */
  onSend: (dates: BodyInput<'recordGrantWork'>) => Promise<void>;
  onClose: () => void;
};

type WorkStepDialogProps = WorkDialogProps & { step: 'done' | 'inspected' };

/** Records the day on which the work was done or inspected. */
export function WorkStepDialog({ grant, step, onSend, onClose }: WorkStepDialogProps) {
  const today = useToday();
  const isInspection = step === 'inspected';
  const earliestDay = isInspection ? (grant.doneOn ?? grant.appliedOn) : grant.appliedOn;
  const form = useForm<{ on: Day }, 'on'>({
    initial: { on: today },
    fields: ['on'],
    validate: ({ on }) => problemsByField({ on: grantDayFailure(on, earliestDay, today) }),
  });
  const { on } = form.values;
  return (
    <FormDialog
      title={WORK_STEP_LABELS[step]}
      confirmLabel={WORK_STEP_LABELS[step]}
      form={form}
      onSubmit={() => onSend(isInspection ? { inspectedOn: on } : { doneOn: on })}
      onClose={onClose}
    >
      {!isInspection && <p>Savings count from the day the work was done.</p>}
      <TextField label={isInspection ? 'Inspected on' : 'Work done on'} type="date" {...form.fieldProps('on')} />
    </FormDialog>
  );
}

/** Corrects the dates on which the work was done and inspected. */
export function WorkDialog({ grant, onSend, onClose }: WorkDialogProps) {
  const today = useToday();
  const initial = { doneOn: grant.doneOn ?? '', inspectedOn: grant.inspectedOn ?? '' };
  const form = useForm<typeof initial, 'doneOn' | 'inspectedOn'>({
    initial,
    fields: ['doneOn', 'inspectedOn'],
    validate: ({ doneOn, inspectedOn }) => {
      if (doneOn === '') return inspectedOn === '' ? {} : { doneOn: 'Enter the date the work was done.' };
      return problemsByField({
        doneOn: grantDayFailure(doneOn, grant.appliedOn, today),
        inspectedOn: inspectedOn === '' ? undefined : grantDayFailure(inspectedOn, doneOn, today),
      });
    },
  });
  const { values, fieldProps } = form;
  const getChange = (name: keyof typeof initial) => (values[name] === initial[name] ? undefined : values[name] || null);
  return (
    <FormDialog
      title="Work dates"
      confirmLabel="Save"
      form={form}
      onSubmit={() => onSend({ doneOn: getChange('doneOn'), inspectedOn: getChange('inspectedOn') })}
      onClose={onClose}
    >
      <p>Savings count from the day the work was done. Leave a date empty if it hasn’t happened yet.</p>
      <TextField label="Work done on" type="date" {...fieldProps('doneOn')} />
      <TextField label="Inspected on" type="date" {...fieldProps('inspectedOn')} />
    </FormDialog>
  );
}

type ReverseGrantDialogProps = { grant: Grant; onReverse: (reason: string) => Promise<void>; onClose: () => void };

/** Reverses a payment or, if the grant isn't paid, its promise. */
export function ReverseGrantDialog({ grant, onReverse, onClose }: ReverseGrantDialogProps) {
  const form = useForm<{ reason: string }, 'reason'>({
    initial: { reason: '' },
    fields: ['reason'],
    validate: ({ reason }) => problemsByField({ reason: reasonFailure(reason) }),
  });
  const isPaid = grant.paidOn !== null;
  const action = isPaid ? 'Undo payment' : 'Cancel promise';
  return (
    <FormDialog
      title={action}
      confirmLabel={action}
      destructive
      form={form}
      onSubmit={() => onReverse(form.values.reason.trim())}
      onClose={onClose}
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

type DeleteGrantDialogProps = { grant: Grant; onDelete: () => Promise<void>; onClose: () => void };

export function DeleteGrantDialog({ grant, onDelete, onClose }: DeleteGrantDialogProps) {
  return (
    <ConfirmDialog title="Delete grant" confirmLabel="Delete" destructive onConfirm={onDelete} onClose={onClose}>
      <p>
        This permanently deletes {grant.awardee}’s application for {formatDollars(grant.amount)}.
      </p>
    </ConfirmDialog>
  );
}
