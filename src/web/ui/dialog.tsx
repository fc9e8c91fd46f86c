import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';
import { Modal } from './modal.tsx';

type DialogProps = {
  title: ReactNode;
  open: boolean;
  /** Escape, the cross, or a press beside it: `open` should then become false. */
  onClose: () => void;
  children: ReactNode;
  /** The buttons at its foot. */
  footer?: ReactNode;
  /** Whether it breaks in with news, which is then read out at once. */
  alert?: boolean;
  /** As wide as the window allows, where two things stand beside each other. */
  wide?: boolean;
};

/** A question or a form on top of the page. `open` has to start as false, since it is not rendered on the server. */
export function Dialog({ title, open, onClose, children, footer, alert = false, wide = false }: DialogProps) {
  const titleId = useId();
  const bodyId = useId();
  if (!open) return null;
  return (
    <Modal
      className={classNames(styles.dialog, wide && styles.wide)}
      labelledBy={titleId}
      alertingBy={alert ? bodyId : undefined}
      onClose={onClose}
    >
      <div className={styles.sheet}>
        <div className={styles.header}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label="Close dialog" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        <div id={bodyId} className={styles.body}>
          {children}
        </div>
        {footer !== undefined && <footer className={styles.footer}>{footer}</footer>}
      </div>
    </Modal>
  );
}
