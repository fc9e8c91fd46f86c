import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './site-menu.module.css';

type NoOffsetterDialogProps = {
  /** A verified email owns the offsetters that were made with it while logged out (decisions §4). */
  isVerified: boolean;
  onClose: () => void;
};

/** Shown by "My profile" to users without an offsetter in the organization (§2). */
export function NoOffsetterDialog({ isVerified, onClose }: NoOffsetterDialogProps) {
  const footer = (
    <Button kind="dark" onClick={onClose}>
      OK
    </Button>
  );
  return (
    <Dialog title="No offsetter" open onClose={onClose} footer={footer}>
      <p>You have no offsetter yet, but you can create one by making a carbon offset.</p>
      {!isVerified && <p className={styles.note}>Already told a story? Verify your email to manage it here.</p>}
    </Dialog>
  );
}
