import { useState } from 'react';
import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { useList } from '#web/api/use-list.ts';
import { saveFile } from '#web/browser/save-file.ts';
import { ConfirmDialog } from '#web/forms/confirm-dialog.tsx';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster, ItemList, ItemRow } from '#web/ui/layout.tsx';
import { List } from '#web/ui/list-page.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import recordStyles from '../gift-record.module.css';
import { undeliveredQuery } from './checkout-queries.ts';
import styles from './receipts.module.css';
import { useDownloadReceipt } from './send-receipt.tsx';
import { SendReceiptDialog } from './send-receipt-dialog.tsx';

/** Receipts to send manually. */
export function ReceiptsTab({ orgId }: { orgId: string }) {
  const { list, receiptToSend, setReceiptToSend, sendTo, markMailed, markAllMailed } = useUndelivered(orgId);
  const download = useDownloadReceipt(orgId);
  const canSend = useCan(orgId)('receipts.send');
  const [dialog, setDialog] = useState<'print' | 'mailed'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Cluster className={styles.head}>
        <h2 className={recordStyles.subheading}>Receipts to send</h2>
        {list.items.length > 0 && (
          <Cluster gap={2}>
            <Button kind="outline" onClick={() => setDialog('print')}>
              Print all
            </Button>
            {canSend && (
              <Button kind="outline" onClick={() => setDialog('mailed')}>
                Mark {list.items.length === 1 ? 'it' : `these ${list.items.length}`} as sent by mail
              </Button>
            )}
          </Cluster>
        )}
      </Cluster>
      <List {...list} itemNoun="receipts" empty="No receipts to send.">
        {(receipts) => (
          <ItemList>
            {receipts.map((receipt) => (
              <ReceiptRow
                key={receipt.id}
                receipt={receipt}
                onDownload={() => download(receipt.id, receipt.number)}
                onSend={canSend ? () => setReceiptToSend(receipt) : undefined}
                onMarkMailed={canSend ? () => markMailed(receipt) : undefined}
              />
            ))}
          </ItemList>
        )}
      </List>
      {receiptToSend && (
        <SendReceiptDialog
          receipt={receiptToSend}
          onSend={(email) => sendTo(receiptToSend, email)}
          onClose={() => setReceiptToSend(undefined)}
        />
      )}
      {dialog === 'print' && <PrintDialog orgId={orgId} onClose={close} />}
      {dialog === 'mailed' && (
        <MarkMailedDialog
          count={list.items.length}
          onMarkMailed={async () => {
            await markAllMailed();
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function PrintDialog({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const api = useApi();
  const download = async () => {
    const file = await api.download('downloadUndelivered', { params: { orgid: orgId } });
    saveFile('receipts-to-send.pdf', file, 'application/pdf');
    onClose();
  };
  return (
    <ConfirmDialog title="Print all receipts" confirmLabel="Download PDF" onConfirm={download} onClose={onClose}>
      <p>
        One PDF with a page for each receipt. Postal addresses, where known, fit a window envelope. The file contains
        personal data, so keep it safe.
      </p>
    </ConfirmDialog>
  );
}

type MarkMailedDialogProps = { count: number; onMarkMailed: () => Promise<void>; onClose: () => void };

function MarkMailedDialog({ count, onMarkMailed, onClose }: MarkMailedDialogProps) {
  return (
    <ConfirmDialog title="Mark as sent by mail" confirmLabel="Mark as sent" onConfirm={onMarkMailed} onClose={onClose}>
      <p>{count === 1 ? 'This receipt' : `The ${count} receipts shown here`} will leave this list.</p>
    </ConfirmDialog>
  );
}

type ReceiptRowProps = {
  receipt: UndeliveredReceipt;
  onDownload: () => Promise<void>;
  /** Undefined if the user lacks the permission. */
  onSend: (() => void) | undefined;
  onMarkMailed: (() => Promise<void>) | undefined;
};

const REASONS: Readonly<Record<UndeliveredReceipt['reason'], string>> = {
  rejected: 'Rejected by the mail server',
  failed: 'Couldn’t be emailed',
  'no-address': 'No email address',
  pending: 'Waiting to be emailed',
};

function ReceiptRow({ receipt, onDownload, onSend, onMarkMailed }: ReceiptRowProps) {
  const { name, email, number, amount, reason } = receipt;
  const { run, busy, problem } = useAttempt();
  const hiddenLabel = <VisuallyHidden>: receipt no. {number}</VisuallyHidden>;
  return (
    <ItemRow
      title={
        <Cluster gap={2}>
          {name ?? 'Name unknown'}
          <StatusMark tone={reason === 'no-address' ? 'waiting' : 'error'}>{REASONS[reason]}</StatusMark>
        </Cluster>
      }
      facts={
        <ul className={styles.facts}>
          {listFacts(receipt).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      }
      actions={
        <>
          <span className={styles.sum}>{formatDollars(amount)}</span>
          <Cluster gap={2}>
            {onSend && (
              <Button onClick={onSend}>
                {email === null ? 'Send to…' : 'Resend to…'}
                {hiddenLabel}
              </Button>
            )}
            <Button kind="quiet" busy={busy} onClick={() => void run(onDownload)}>
              Download PDF{hiddenLabel}
            </Button>
            {onMarkMailed && (
              <Button kind="quiet" busy={busy} onClick={() => void run(onMarkMailed)}>
                Sent by mail{hiddenLabel}
              </Button>
            )}
            <Problem inline>{problem}</Problem>
          </Cluster>
        </>
      }
    />
  );
}

function listFacts({ email, postalAddress, number, givenOn, code }: UndeliveredReceipt): string[] {
  return [
    ...(email === null ? [] : [email]),
    ...(postalAddress === null ? [] : [postalAddress.replace(/\s*\n\s*/g, ', ')]),
    `Receipt no. ${number}`,
    `Gift date ${dayText(givenOn)}`,
    ...(code === null ? [] : [`Code ${code}`]),
  ];
}

function useUndelivered(orgId: string) {
  const api = useApi();
  const toast = useToast();
  const [receiptToSend, setReceiptToSend] = useState<UndeliveredReceipt>();
  const list = useList(undeliveredQuery(api, orgId));
  const sendTo = async (receipt: UndeliveredReceipt, email: string) => {
    const params = { orgid: orgId, entryid: receipt.id };
    const sentReceipt = await api.call('sendReceiptTo', { params, body: { email } });
    setReceiptToSend(undefined);
    toast(`Receipt no. ${sentReceipt.number} is on its way to ${sentReceipt.email}`);
  };
  const sendMailed = (receipts: readonly UndeliveredReceipt[]) =>
    api.call('markReceiptsMailed', { params: { orgid: orgId }, body: { entryids: receipts.map(({ id }) => id) } });
  const markMailed = async (receipt: UndeliveredReceipt) => {
    await sendMailed([receipt]);
    toast(`Receipt no. ${receipt.number} is marked as sent by mail`);
  };
  const markAllMailed = async () => {
    const receipts = list.items;
    await sendMailed(receipts);
    toast(receipts.length === 1 ? '1 receipt is marked as sent' : `${receipts.length} receipts are marked as sent`);
  };
  return { list, receiptToSend, setReceiptToSend, sendTo, markMailed, markAllMailed };
}
