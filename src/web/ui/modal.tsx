import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { addDialog } from '#web/navigation/dialog-stack.ts';

type ModalProps = {
  className: string | undefined;
  labelledBy: string;
  /** For an alert: the id of its text. */
  alertTextId?: string | undefined;
  /** False if a click on the backdrop doesn't close it. */
  closesOnBackdropClick?: boolean;
  /** True if the address opens and closes it, so that the back button already does. */
  hasOwnAddress?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * The native dialog element, shared by dialogs and drawers. It traps the focus, closes on Escape and the back button, and
 * then restores the focus. It is in the document only while it is open. Once something is entered, a click on the backdrop
 * no longer closes it, since that would discard a form by accident.
 */
export function Modal({
  className,
  labelledBy,
  alertTextId,
  closesOnBackdropClick = true,
  hasOwnAddress = false,
  onClose,
  children,
}: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const toastRegion = useRef<HTMLDivElement>(null);
  const hasInput = useRef(false);
  const isUnmounted = useRef(false);
  const closeOnBack = useEffectEvent(onClose);
  useLayoutEffect(() => {
    const element = dialog.current;
    isUnmounted.current = false;
    element?.showModal();
    const removeDialog = addDialog({
      close: hasOwnAddress ? undefined : () => closeOnBack(),
      toastRegion: toastRegion.current,
    });
    return () => {
      isUnmounted.current = true;
      removeDialog();
      element?.close();
    };
  }, [hasOwnAddress]);
  const handleClose = ({ currentTarget: element }: SyntheticEvent<HTMLDialogElement>) => {
    if (isUnmounted.current || element.open) return;
    onClose();
    // Browsers close a dialog on the second Escape, even if it must stay open, for example while a form is being sent.
    queueMicrotask(() => {
      if (!isUnmounted.current) element.showModal();
    });
  };
  // Close here: the browser's close event fires a moment later and could close a reopened dialog.
  const handleCancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };
  const handlePress = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && closesOnBackdropClick && !hasInput.current) onClose();
  };
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a press on the backdrop closes it, as Escape does
    <dialog
      ref={dialog}
      className={className}
      role={alertTextId === undefined ? undefined : 'alertdialog'}
      aria-labelledby={labelledBy}
      aria-describedby={alertTextId}
      onCancel={handleCancel}
      onClose={handleClose}
      onMouseDown={handlePress}
      onInput={() => {
        hasInput.current = true;
      }}
      // React bubbles a submit event to the form that opened the dialog, which must not receive it.
      onSubmit={(event) => event.stopPropagation()}
    >
      {children}
      <div ref={toastRegion} role="status" />
    </dialog>,
    document.body,
  );
}
