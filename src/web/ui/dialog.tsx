import { type ReactNode, useId } from 'react';
import { m } from '#messages';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';
import { Modal } from './modal.tsx';

type DialogProps = {
  title: ReactNode;
  /** Called on Escape, the close button, or a click outside. */
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
  /** True for an alert, which screen readers announce immediately. */
  alert?: boolean;
  /** False to keep the dialog open on a click outside. */
  closesOnBackdropClick?: boolean;
  wide?: boolean;
  /** True if the URL opens and closes the dialog. */
  hasOwnAddress?: boolean;
};

/** A dialog that is open while mounted. Don't render it on the first page load: the server doesn't render dialogs. */
export function Dialog(props: DialogProps) {
  const { title, onClose, children, footer, hasOwnAddress = false } = props;
  const { alert = false, closesOnBackdropClick = true, wide = false } = props;
  const titleId = useId();
  const bodyId = useId();
  return (
    <Modal
      className={classNames(styles.dialog, wide && styles.wide)}
      labelledBy={titleId}
      alertTextId={alert ? bodyId : undefined}
      closesOnBackdropClick={closesOnBackdropClick}
      hasOwnAddress={hasOwnAddress}
      onClose={onClose}
    >
      <div className={styles.sheet}>
        <div className={styles.header}>
          <h2 ref={focusOnOpen} id={titleId} tabIndex={-1} className={styles.title}>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label={m.closeDialog()} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <div id={bodyId} className={styles.body}>
          {children}
        </div>
        {footer !== undefined && <div className={styles.footer}>{footer}</div>}
      </div>
    </Modal>
  );
}

/** Focuses the title when the dialog opens, instead of the close button. React doesn't render this attribute. */
function focusOnOpen(title: HTMLElement | null): void {
  title?.setAttribute('autofocus', '');
}
