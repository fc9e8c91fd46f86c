import { type ReactNode, useId } from 'react';
import { m } from '#messages';
import styles from './drawer.module.css';
import { Icon } from './icon.tsx';
import { Modal } from './modal.tsx';

type DrawerProps = { title: ReactNode; onClose: () => void; children: ReactNode };

/** A panel that slides in from the side. Like `Dialog`, it is open while mounted and isn't rendered by the server. */
export function Drawer({ title, onClose, children }: DrawerProps) {
  const titleId = useId();
  return (
    <Modal className={styles.drawer} labelledBy={titleId} onClose={onClose}>
      <div className={styles.panel} data-dark>
        <div className={styles.header}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <button type="button" className={styles.close} aria-label={m.closeMenu()} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </Modal>
  );
}
