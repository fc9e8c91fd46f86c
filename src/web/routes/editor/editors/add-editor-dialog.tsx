import { type SubmitEvent, useId, useState } from 'react';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { addressProblem } from './editor-words.ts';
import styles from './editors.module.css';

type AddEditorDialogProps = {
  onAdd: (email: string) => Promise<void>;
  /** Shows a short message. */
  tell: (text: string) => void;
  onClose: () => void;
};

/** Asks for the address of somebody who is to edit (§2). */
export function AddEditorDialog({ onAdd, tell, onClose }: AddEditorDialogProps) {
  const formId = useId();
  const [email, setEmail] = useState('');
  const [invalid, setInvalid] = useState<string>();
  const { busy, problem, run, clear } = useAttempt();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = addressProblem(email);
    setInvalid(found);
    // §5 has a toast; the field says it as well, for those who hear a page.
    if (found !== undefined) return tell(found);
    void run(() => onAdd(email.trim()));
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} busy={busy}>
        Add editor
      </Button>
    </>
  );
  return (
    <Dialog title="Add editor" open onClose={() => !busy && onClose()} footer={footer}>
      <form id={formId} onSubmit={submit} noValidate>
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          hint="Whoever has no account yet is invited by mail."
          value={email}
          error={problem ?? invalid}
          onChange={({ currentTarget }) => {
            setEmail(currentTarget.value);
            setInvalid(undefined);
            clear();
          }}
        />
      </form>
      <p className={styles.note}>Editors change the texts, settings and stories of this site, and see its checkouts.</p>
    </Dialog>
  );
}
