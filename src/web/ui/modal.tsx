import { type MouseEvent, type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

type ModalProps = {
  className: string | undefined;
  labelledBy: string;
  /** For an alert: the id of its text. */
  alertingBy?: string | undefined;
  onClose: () => void;
  children: ReactNode;
};

/**
 * What a dialog and a drawer have in common: the browser's own modal element, which holds the focus, closes on Escape
 * and gives the focus back. It is in the page only while it is open.
 */
export function Modal({ className, labelledBy, alertingBy, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const gone = useRef(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    gone.current = false;
    element?.showModal();
    return () => {
      gone.current = true;
      element?.close();
    };
  }, []);
  const closed = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (!gone.current && !event.currentTarget.open) onClose();
  };
  // Closed here: the browser's own close event comes a moment later, and could close a dialog that was reopened
  // meanwhile.
  const cancelled = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };
  const pressed = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget) onClose();
  };
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press beside the dialog closes it, as Escape does
    <dialog
      ref={dialog}
      className={className}
      role={alertingBy === undefined ? undefined : 'alertdialog'}
      aria-labelledby={labelledBy}
      aria-describedby={alertingBy}
      onCancel={cancelled}
      onClose={closed}
      onMouseDown={pressed}
      // React bubbles a submit to the form that opened the dialog, which must not receive it.
      onSubmit={(event) => event.stopPropagation()}
    >
      {children}
    </dialog>,
    document.body,
  );
}
