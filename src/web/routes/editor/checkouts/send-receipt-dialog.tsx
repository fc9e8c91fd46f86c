import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import { emailFailure } from '#domain/profile.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { problemsByField } from '#web/forms/problems-by-field.ts';
import { useForm } from '#web/forms/use-form.ts';
import { TextField } from '#web/ui/field.tsx';

type SendReceiptDialogProps = {
  receipt: UndeliveredReceipt;
  onSend: (email: string) => Promise<void>;
  onClose: () => void;
};

/** Asks for the address to send a receipt to. */
export function SendReceiptDialog({ receipt, onSend, onClose }: SendReceiptDialogProps) {
  const form = useForm({
    initial: { email: receipt.email ?? '' },
    fields: ['email'] as const,
    validate: ({ email }) => problemsByField({ email: emailFailure(email) }),
  });
  return (
    <FormDialog
      title={`Send receipt no. ${receipt.number}`}
      confirmLabel="Send"
      form={form}
      onSubmit={() => onSend(form.values.email.trim())}
      onClose={onClose}
    >
      <p>The receipt itself won’t change. We’ll email it to the address you enter.</p>
      <TextField label="Email" type="email" autoComplete="off" required {...form.fieldProps('email')} />
    </FormDialog>
  );
}
