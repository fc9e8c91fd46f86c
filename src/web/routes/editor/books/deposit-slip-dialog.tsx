import type { BankCheck } from '#contract/schemas/bank.ts';
import { receivedDayFailure } from '#domain/check.ts';
import type { Day } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useApi } from '#web/session/app-context.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import cellStyles from '../two-line-cell.module.css';
import { useToday } from '../use-dates.ts';
import styles from './books.module.css';
import { describeCheck } from './deposit-dialog.tsx';
import { sumChecks } from './sum-checks.ts';

type DepositSlipDialogProps = {
  orgId: string;
  depositId: string;
  checks: readonly BankCheck[];
  /** True if the month is over. The form then doesn't suggest today as the date of the deposit. */
  isOver: boolean;
  onClose: () => void;
};

type Slip = { readonly on: Day; readonly excludedIds: readonly string[] };

/** Groups checks that are deposited together. All checks are selected initially. */
export function DepositSlipDialog({ orgId, depositId, checks, isOver, onClose }: DepositSlipDialogProps) {
  const api = useApi();
  const toast = useToast();
  const today = useToday();
  const form = useForm<Slip, 'on'>({
    initial: { on: isOver ? (checks.at(-1)?.receivedOn ?? today) : today, excludedIds: [] },
    fields: ['on'],
    validate: ({ on }) => problemsByField({ on: receivedDayFailure(on, today) }),
  });
  const { values, change, fieldProps } = form;
  const { on, excludedIds } = values;
  const selectedChecks = checks.filter(({ entryid }) => !excludedIds.includes(entryid));
  const save = async () => {
    const body = { on, entryids: selectedChecks.map(({ entryid }) => entryid) };
    await api.call('saveDeposit', { params: { orgid: orgId, depositid: depositId }, body });
    onClose();
    toast(`Deposit of ${formatDollars(sumChecks(selectedChecks))} recorded`);
  };
  return (
    <FormDialog
      title="Deposit slip"
      confirmLabel={`Deposit ${formatDollars(sumChecks(selectedChecks))}`}
      ready={selectedChecks.length > 0}
      form={form}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField label="Deposited on" type="date" max={today} {...fieldProps('on')} />
      <fieldset className={styles.slip}>
        <legend>Checks in this deposit</legend>
        {checks.map((check) => (
          <Checkbox
            key={check.entryid}
            checked={!excludedIds.includes(check.entryid)}
            onChange={({ currentTarget: { checked: isSelected } }) => {
              const otherIds = excludedIds.filter((entryId) => entryId !== check.entryid);
              change({ excludedIds: isSelected ? otherIds : [...otherIds, check.entryid] });
            }}
          >
            {check.name ?? 'Deleted account'}, {formatDollars(check.amount)}
            <span className={cellStyles.secondary}>{describeCheck(check)}</span>
          </Checkbox>
        ))}
      </fieldset>
    </FormDialog>
  );
}
