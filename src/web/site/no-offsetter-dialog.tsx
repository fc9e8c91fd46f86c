import { m } from '#messages';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './site-menu.module.css';

type NoOffsetterDialogProps = {
  /** A person with a verified email also owns offsetters submitted with it while logged out (decisions §4). */
  isVerified: boolean;
  onClose: () => void;
};

/** Shown by "My profile" to users without an offsetter in the organization (§2). */
export function NoOffsetterDialog({ isVerified, onClose }: NoOffsetterDialogProps) {
  const footer = (
    <Button kind="dark" onClick={onClose}>
      {m.ok()}
    </Button>
  );
  return (
    <Dialog title={m.noOffsetterTitle()} onClose={onClose} footer={footer}>
      <p>{m.noOffsetterText()}</p>
      {!isVerified && <p className={styles.note}>{m.noOffsetterVerify()}</p>}
    </Dialog>
  );
}
