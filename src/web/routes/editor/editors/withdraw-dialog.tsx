import type { Invitation } from '#contract/schemas/editors.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

type WithdrawDialogProps = { invitation: Invitation; onWithdraw: () => Promise<void>; onClose: () => void };

/** Asks before an invitation is taken back. */
export function WithdrawDialog({ invitation, onWithdraw, onClose }: WithdrawDialogProps) {
  const { busy, problem, run } = useAttempt();
  return (
    <ConfirmDialog
      title="Withdraw the invitation"
      confirm="Withdraw"
      busy={busy}
      problem={problem}
      onConfirm={() => void run(onWithdraw)}
      onClose={onClose}
    >
      <p>The link that was mailed to {invitation.email} will no longer make an editor.</p>
    </ConfirmDialog>
  );
}
