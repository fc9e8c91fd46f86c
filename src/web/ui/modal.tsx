import { type MouseEvent, type ReactNode, type SyntheticEvent, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';

type ModalProps = {
  className: string | undefined;
  labelledBy: string;
  /** The id of the news it breaks in with, when it is an alert. */
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
  // Closed at once: the browser's own close comes a moment later, and could shut a dialog that was opened again by then.
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
      // React carries a submit through to the form that the dialog was opened from, which must not hear of it.
      onSubmit={(event) => event.stopPropagation()}
    >
      {children}
    </dialog>,
    document.body,
  );
}
