import { type SubmitEvent, useId } from 'react';
import type { Undelivered } from '#contract/schemas/receipts.ts';
import { sentenceOf } from '#domain/failures.ts';
import { isEmail } from '#domain/profile.ts';
import { useForm } from '#web/api/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';

type SendToDialogProps = {
  receipt: Undelivered;
  onSend: (email: string) => Promise<void>;
  onClose: () => void;
};

/** Asks where a receipt shall be sent. */
export function SendToDialog({ receipt, onSend, onClose }: SendToDialogProps) {
  const formId = useId();
  const form = useForm({ initial: { email: receipt.email ?? '' }, fields: ['email'] as const, problemsOf });
  const { email } = form.values;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void form.submit(() => onSend(email.trim()));
  };
  const footer = (
    <>
      <Button kind="outline" disabled={form.busy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} busy={form.busy}>
        Send
      </Button>
    </>
  );
  return (
    <Dialog title={`Send receipt no. ${receipt.number}`} open onClose={() => !form.busy && onClose()} footer={footer}>
      <form id={formId} onSubmit={submit} noValidate>
        <Stack>
          <p>The receipt stays the same. It keeps the address that you enter here.</p>
          <TextField
            label="Email"
            type="email"
            autoComplete="off"
            required
            value={email}
            disabled={form.busy}
            error={form.errorOf('email', email === '')}
            onBlur={() => form.leave('email')}
            onChange={({ currentTarget }) => form.change({ email: currentTarget.value })}
          />
          <Problem>{form.problem}</Problem>
        </Stack>
      </form>
    </Dialog>
  );
}

function problemsOf({ email }: { email: string }) {
  if (email.trim() === '') return { email: sentenceOf('no-email') };
  return isEmail(email.trim()) ? {} : { email: sentenceOf('invalid-email', { email: email.trim() }) };
}
