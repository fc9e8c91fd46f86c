import type { User } from '#contract/schemas/users.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

type AdminDialogProps = {
  person: User;
  isSelf: boolean;
  onChange: (admin: boolean) => Promise<void>;
  onClose: () => void;
};

/** Asks before somebody becomes an admin, or is one no more (decisions §4). */
export function AdminDialog({ person, isSelf, onChange, onClose }: AdminDialogProps) {
  const { busy, problem, run } = useAttempt();
  const { admin, displayName, email, emailVerified } = person;
  const called = displayName === '' ? email : `${displayName} (${email})`;
  return (
    <ConfirmDialog
      title={admin ? 'Revoke admin' : 'Make admin'}
      confirm={admin ? 'Revoke admin' : 'Make admin'}
      destructive={admin}
      busy={busy}
      problem={problem}
      onConfirm={() => void run(() => onChange(!admin))}
      onClose={onClose}
    >
      {admin ? (
        <p>
          {isSelf ? 'You' : called} will no longer manage people and organizations, and{' '}
          {isSelf ? 'are signed out.' : 'is signed out.'}
        </p>
      ) : (
        <p>
          {called} will be able to create organizations, delete offsetters, and make other people admins.
          {!emailVerified && ' It takes effect once the address is verified.'}
        </p>
      )}
    </ConfirmDialog>
  );
}
