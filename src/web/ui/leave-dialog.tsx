import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

type LeaveDialogProps = {
  /** Goes on to where the visitor wanted to go; nothing while nobody wants to leave. */
  leave: (() => void) | undefined;
  stay: () => void;
};

/** Asks before a page is left on which something is not saved. */
export function LeaveDialog({ leave, stay }: LeaveDialogProps) {
  const footer = (
    <>
      <Button kind="outline" onClick={leave}>
        Leave
      </Button>
      <Button kind="dark" onClick={stay}>
        Stay
      </Button>
    </>
  );
  return (
    <Dialog title="Leave without saving?" open={leave !== undefined} onClose={stay} footer={footer}>
      <p>What you changed on this page is not saved yet.</p>
    </Dialog>
  );
}
