import { useState } from 'react';
import type { UndeliveredReceipt } from '#contract/schemas/receipts.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { useList } from '#web/api/use-list.ts';
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
import { undeliveredQuery } from '../checkouts/checkout-queries.ts';
import { useDownloadReceipt } from '../checkouts/send-receipt.tsx';
import recordStyles from '../gift-record.module.css';
import styles from './receipts.module.css';
import { SendToDialog } from './send-to-dialog.tsx';

/** Receipts that did not arrive, and ways to send them. */
export function ReceiptsTab({ orgId }: { orgId: string }) {
  const { list, sending, setSending, sendTo, notePosted: markMailed } = useUndelivered(orgId);
  const download = useDownloadReceipt(orgId);
  const canSend = useCan(orgId)('receipts.send');
  return (
    <>
      <h2 className={recordStyles.subheading}>Receipts to send</h2>
      <List {...list} what="receipts" empty="No receipts to send.">
        {(receipts) => (
          <ItemList>
            {receipts.map((receipt) => (
              <ReceiptRow
                key={receipt.id}
                receipt={receipt}
                onDownload={() => download(receipt.id, receipt.number)}
                onSend={canSend ? () => setSending(receipt) : undefined}
                onPosted={canSend ? () => markMailed(receipt) : undefined}
              />
            ))}
          </ItemList>
        )}
      </List>
      {sending && (
        <SendToDialog
          receipt={sending}
          onSend={(email) => sendTo(sending, email)}
          onClose={() => setSending(undefined)}
        />
      )}
    </>
  );
}

type ReceiptRowProps = {
  receipt: UndeliveredReceipt;
  onDownload: () => Promise<void>;
  /** Undefined without permission. */
  onSend: (() => void) | undefined;
  onPosted: (() => Promise<void>) | undefined;
};

const REASONS: Readonly<Record<UndeliveredReceipt['reason'], string>> = {
  rejected: 'Rejected by the mail server',
  failed: 'Couldn’t be emailed',
  'no-address': 'No email address',
  pending: 'Waiting to be emailed',
};

function ReceiptRow({ receipt, onDownload, onSend, onPosted }: ReceiptRowProps) {
  const { name, email, number, amount, reason } = receipt;
  const { run, busy, problem } = useAttempt();
  const hiddenLabel = <VisuallyHidden>: receipt no. {number}</VisuallyHidden>;
  return (
    <ItemRow
      title={
        <>
          {name ?? 'Name unknown'}{' '}
          <StatusMark tone={reason === 'no-address' ? 'waiting' : 'wrong'}>{REASONS[reason]}</StatusMark>
        </>
      }
      facts={
        <ul className={styles.facts}>
          {factsOf(receipt).map((fact) => (
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
                {email === null ? 'Send to…' : 'Send again to…'}
                {hiddenLabel}
              </Button>
            )}
            <Button kind="quiet" busy={busy} onClick={() => void run(onDownload)}>
              Download PDF{hiddenLabel}
            </Button>
            {onPosted && (
              <Button kind="quiet" busy={busy} onClick={() => void run(onPosted)}>
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

function factsOf({ email, number, givenOn, code }: UndeliveredReceipt): string[] {
  return [
    ...(email === null ? [] : [email]),
    `Receipt no. ${number}`,
    `Gift date ${dayText(givenOn)}`,
    ...(code === null ? [] : [`Code ${code}`]),
  ];
}

function useUndelivered(orgId: string) {
  const api = useApi();
  const toast = useToast();
  const [receiptToSend, setSending] = useState<UndeliveredReceipt>();
  const list = useList(undeliveredQuery(api, orgId));
  const sendTo = async (receipt: UndeliveredReceipt, email: string) => {
    const params = { orgid: orgId, entryid: receipt.id };
    const sentReceipt = await api.call('sendReceiptTo', { params, body: { email } });
    setSending(undefined);
    toast(`Receipt no. ${sentReceipt.number} is on its way to ${sentReceipt.email}`);
  };
  const notePosted = async ({ id, number }: UndeliveredReceipt) => {
    await api.call('noteReceiptPosted', { params: { orgid: orgId, entryid: id } });
    toast(`Receipt no. ${number} is marked as sent by mail`);
  };
  return { list, sending: receiptToSend, setSending, sendTo, notePosted };
}
