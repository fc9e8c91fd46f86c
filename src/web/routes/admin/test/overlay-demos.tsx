import { type ReactNode, useState } from 'react';
import { sentenceOf } from '#domain/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog, LeaveDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { useToast } from '#web/ui/toast.tsx';
import styles from './demo.module.css';
import { Demo, DemoSection } from './demo.tsx';

/** What comes on top of the page. */
export function OverlayDemos() {
  const toast = useToast();
  return (
    <DemoSection title="Dialogs, drawer, toasts">
      <Demo title="Dialog, Drawer">
        <div className={styles.row}>
          <Opened called="A dialog">
            {(close) => (
              <Dialog title="A dialog" open onClose={close} footer={<Button onClick={close}>OK</Button>}>
                <p>It holds the focus, closes on Escape, and gives the focus back.</p>
              </Dialog>
            )}
          </Opened>
          <Opened called="A dialog with news">
            {(close) => (
              <Dialog title="News" alert open onClose={close} footer={<Button onClick={close}>OK</Button>}>
                <p>This is read out at once.</p>
              </Dialog>
            )}
          </Opened>
          <Opened called="A drawer">
            {(close) => (
              <Drawer title="A drawer" open onClose={close}>
                <p>What stands in it</p>
              </Drawer>
            )}
          </Opened>
        </div>
      </Demo>
      <Demo title="ConfirmDialog, LeaveDialog">
        <div className={styles.row}>
          <Opened called="A question">{(close) => <Question close={close} busy={false} problem={undefined} />}</Opened>
          <Opened called="Its answer under way">
            {(close) => <Question close={close} busy problem={undefined} />}
          </Opened>
          <Opened called="Its answer failed">
            {(close) => <Question close={close} busy={false} problem={sentenceOf('server-error')} />}
          </Opened>
          <Opened called="Leaving">{(close) => <LeaveDialog leave={close} stay={close} />}</Opened>
        </div>
      </Demo>
      <Demo title="Toast">
        <div className={styles.row}>
          <Button kind="outline" onClick={() => toast('saved')}>
            A toast
          </Button>
          <Button kind="outline" onClick={() => toast(`A longer one. ${sentenceOf('invalid-email', { email: 'x' })}`)}>
            A longer toast
          </Button>
          <Button
            kind="outline"
            onClick={() => toast('Hidden', { label: 'Undo', run: () => toast('It is shown again') })}
          >
            A toast with Undo
          </Button>
        </div>
      </Demo>
    </DemoSection>
  );
}

/** A button, and what it opens. */
function Opened({ called, children }: { called: string; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="outline" onClick={() => setOpen(true)}>
        {called}
      </Button>
      {open && children(() => setOpen(false))}
    </>
  );
}

type QuestionProps = { close: () => void; busy: boolean; problem: string | undefined };

function Question({ close, busy, problem }: QuestionProps) {
  return (
    <ConfirmDialog
      title="Delete it?"
      confirm="Delete"
      destructive
      busy={busy}
      problem={problem}
      onConfirm={close}
      // What is under way cannot be closed; a demo is.
      onClose={close}
    >
      <p>This cannot be undone.</p>
    </ConfirmDialog>
  );
}
