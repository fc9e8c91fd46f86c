import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { addDialog } from '#web/navigation/dialog-stack.ts';

type ModalProps = {
  className: string | undefined;
  labelledBy: string;
  /** Id of an alert's text; undefined for other dialogs. */
  alertTextId?: string | undefined;
  /** False to keep the dialog open on a click on the backdrop. */
  closesOnBackdropClick?: boolean;
  /** True if the URL opens and closes the dialog, so that the back button already works. */
  hasOwnAddress?: boolean;
  onClose: () => void;
  children: ReactNode;
};

/**
 * The native dialog element, shared by dialogs and drawers. It traps the focus, closes on Escape and the back button, and
 * then restores the focus. It is in the document only while it is open. Once the user has typed something, a click on
 * the backdrop no longer closes it, so that a form isn't discarded by accident.
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
  // Closes here, because the browser's close event fires a moment later and could close a reopened dialog.
  const handleCancel = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };
  const handleBackdropPress = (event: MouseEvent<HTMLDialogElement>) => {
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
      onMouseDown={handleBackdropPress}
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
