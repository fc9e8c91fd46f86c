import { sentenceOf } from '#domain/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

type UploadFailedDialogProps = { open: boolean; contactEmail: string; onClose: () => void };

/** The alert of §8, after an upload of which nobody knows whether it arrived. */
export function UploadFailedDialog({ open, contactEmail, onClose }: UploadFailedDialogProps) {
  const footer = (
    <Button kind="dark" onClick={onClose}>
      OK
    </Button>
  );
  return (
    <Dialog alert title="Your profile" open={open} onClose={onClose} footer={footer}>
      <p>{sentenceOf('profile-upload-failed', { email: contactEmail })}</p>
    </Dialog>
  );
}
