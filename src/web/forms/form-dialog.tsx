import { type ReactNode, type RefObject, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Stack } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';

/** A second button of a form dialog. */
export type FormDialogAction = { readonly label: string; readonly onPress: () => void };

type FormDialogProps = {
  title: string;
  /** The fields, and any text around them. */
  children: ReactNode;
  /** The button's label, such as "Send". */
  confirm: string;
  /** True if the action can't be undone. */
  destructive?: boolean;
  /** False while the form is incomplete. */
  ready?: boolean;
  busy: boolean;
  /** Why the last try failed, unless a field shows it. */
  problem?: string | undefined;
  onSubmit: () => void;
  /** Another way to submit the form, such as to save it and continue with the next one. */
  other?: FormDialogAction | undefined;
  onClose: () => void;
};

/** A dialog with a form, which stays open while it is being sent. */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    children,
    confirm,
    destructive = false,
    ready = true,
    busy,
    problem,
    onSubmit,
    other,
    onClose,
  } = props;
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const { countTry: countSubmission, resetTries: resetSubmissions } = useFocusOnFields(form, busy);
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!ready) return;
    countSubmission();
    onSubmit();
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        {m.cancel()}
      </Button>
      {other && (
        <Button
          kind="outline"
          disabled={busy || !ready}
          onClick={() => {
            countSubmission();
            other.onPress();
          }}
        >
          {other.label}
        </Button>
      )}
      <Button kind={destructive ? 'danger' : 'dark'} type="submit" form={formId} busy={busy} disabled={!ready}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={title} open onClose={() => !busy && onClose()} footer={footer}>
      <form ref={form} id={formId} onSubmit={handleSubmit} onInput={resetSubmissions} noValidate>
        <Stack>
          {children}
          <Problem>{problem}</Problem>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Focuses the first field, and the invalid field after an error. */
function useFocusOnFields(form: RefObject<HTMLFormElement | null>, busy: boolean) {
  useFocusOnFirstField(form);
  /** Number of submissions since the last input. */
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0 && !busy) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [form, tries, busy]);
  return { countTry: () => setTries((previous) => previous + 1), resetTries: () => setTries(0) };
}

/** For a form in a dialog that has just opened. */
export function useFocusOnFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    // On a phone the keyboard would cover the text above the field.
    if (!window.matchMedia('(pointer: fine)').matches) return;
    form.current?.querySelector<HTMLElement>('input:not([type="radio"]), input:checked, textarea, select')?.focus();
  }, [form]);
}
