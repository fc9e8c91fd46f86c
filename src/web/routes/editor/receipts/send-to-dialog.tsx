import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import { emailFailure } from '#domain/profile.ts';
import { useForm } from '#web/forms/use-form.ts';
import { TextField } from '#web/ui/field.tsx';
import { FormDialog } from '#web/forms/form-dialog.tsx';

type SendToDialogProps = {
  receipt: UndeliveredReceipt;
  onSend: (email: string) => Promise<void>;
  onClose: () => void;
};

/** Asks where to send a receipt. */
export function SendToDialog({ receipt, onSend, onClose }: SendToDialogProps) {
  const form = useForm({ initial: { email: receipt.email ?? '' }, fields: ['email'] as const, problemsOf });
  const { email } = form.values;
  const { busy, problem } = form;
  return (
    <FormDialog
      title={`Send receipt no. ${receipt.number}`}
      confirm="Send"
      busy={busy}
      problem={problem}
      onSubmit={() => void form.submit(() => onSend(email.trim()))}
      onClose={onClose}
    >
      <p>The receipt doesn’t change. Its address will be the one you enter here.</p>
      <TextField label="Email" type="email" autoComplete="off" required disabled={busy} {...form.fieldProps('email')} />
    </FormDialog>
  );
}

function problemsOf({ email }: { email: string }) {
  const failure = emailFailure(email);
  return failure ? { email: failure.message } : {};
}
