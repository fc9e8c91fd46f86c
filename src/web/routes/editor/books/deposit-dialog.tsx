import type { BankCheck, DepositLine } from '#contract/schemas/bank.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { Link } from '#web/navigation/link.tsx';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Detail, DetailList } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { checkoutsUrl } from '../checkout-view.ts';
import recordStyles from '../gift-record.module.css';
import { formatStamp } from './bank-lines.tsx';

type DepositDialogProps = { orgId: string; deposit: DepositLine; canUndo: boolean; onClose: () => void };

/** A deposit's checks, each with a link to its gift. */
export function DepositDialog({ orgId, deposit, canUndo, onClose }: DepositDialogProps) {
  const { id, amount, depositedOn, checks, created } = deposit;
  const api = useApi();
  const toast = useToast();
  const { run, busy, problem } = useAttempt();
  const undo = async () => {
    await api.call('removeDeposit', { params: { orgid: orgId, depositid: id } });
    onClose();
    toast('Deposit undone');
  };
  const footer = (
    <>
      {canUndo && (
        <Button kind="remove" className={recordStyles.aside} busy={busy} onClick={() => void run(undo)}>
          Undo deposit
        </Button>
      )}
      <Button kind="outline" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog title={`Deposit of ${formatDollars(amount)}`} hasOwnAddress onClose={onClose} footer={footer}>
      <DetailList>
        <Detail name="Deposited on">{dayText(depositedOn)}</Detail>
        <Detail name="Recorded by">{formatStamp(created)}</Detail>
      </DetailList>
      <h3 className={recordStyles.subheading}>Checks</h3>
      <ul className={recordStyles.items}>
        {checks.map((check) => (
          <li key={check.entryid}>
            <span>
              <Link to={checkoutsUrl(orgId, {}, { openGift: { kind: 'check', id: check.pledgeid } })}>
                {check.name ?? 'Deleted account'}
              </Link>
              <small>{describeCheck(check)}</small>
            </span>
            <span>{formatDollars(check.amount)}</span>
          </li>
        ))}
      </ul>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}

/** "No. 1077, received May 28, 2026" */
export function describeCheck({ checkNumber, receivedOn }: BankCheck): string {
  const receivedText = `received ${dayText(receivedOn)}`;
  return checkNumber === null ? `Check ${receivedText}` : `No. ${checkNumber}, ${receivedText}`;
}
