import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './no-offsetter-dialog.module.css';

type NoOffsetterDialogProps = {
  /** Whether the address is proven: what was made with it signed out is one's own only then (decisions §4). */
  isVerified: boolean;
  onClose: () => void;
};

/** What "My profile" shows to whoever has no offsetter in the organisation (§2). */
export function NoOffsetterDialog({ isVerified, onClose }: NoOffsetterDialogProps) {
  const footer = (
    <Button kind="dark" onClick={onClose}>
      OK
    </Button>
  );
  return (
    <Dialog title="No offsetter" open onClose={onClose} footer={footer}>
      <p>You have no offsetter yet, but you can create one by making a carbon offset.</p>
      {!isVerified && (
        <p className={styles.note}>Have you made one already? Then verify your email address, and it is yours.</p>
      )}
    </Dialog>
  );
}
