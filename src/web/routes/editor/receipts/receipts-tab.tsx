import { useState } from 'react';
import type { Undelivered } from '#contract/schemas/receipts.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { type ListPage, useList } from '#web/api/use-list.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster, ItemList, ItemRow } from '#web/ui/layout.tsx';
import { EmptyNote, ListFoot, StatusMark } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { loadUndelivered } from '../checkouts/route.ts';
import { useDownloadReceipt } from '../checkouts/send-receipt.tsx';
import styles from '../treasury.module.css';
import { SendToDialog } from './send-to-dialog.tsx';

type ReceiptsTabProps = { orgid: string; first: ListPage<Undelivered> };

/** The receipts that did not arrive, so that none is silently unsent. */
export function ReceiptsTab({ orgid, first }: ReceiptsTabProps) {
  const { list, sending, open, sendTo, notePosted } = useUndelivered(orgid, first);
  const download = useDownloadReceipt(orgid);
  const canSend = useCan(orgid)('receipts.send');
  useFocusAfterRemoval(list.items);
  return (
    <>
      <h2 className={styles.subheading}>Receipts to send</h2>
      {list.items.length > 0 ? (
        <ItemList>
          {list.items.map((receipt) => (
            <ReceiptRow
              key={receipt.id}
              receipt={receipt}
              onDownload={() => download(receipt.id, receipt.number)}
              onSend={canSend ? () => open(receipt) : undefined}
              onPosted={canSend ? () => notePosted(receipt) : undefined}
            />
          ))}
        </ItemList>
      ) : (
        <EmptyNote>No receipts to send.</EmptyNote>
      )}
      <ListFoot {...list} what="receipts" onMore={() => void list.loadMore()} />
      {sending && (
        <SendToDialog receipt={sending} onSend={(email) => sendTo(sending, email)} onClose={() => open(undefined)} />
      )}
    </>
  );
}

type ReceiptRowProps = {
  receipt: Undelivered;
  onDownload: () => Promise<void>;
  /** Undefined for those who may not send it. */
  onSend: (() => void) | undefined;
  onPosted: (() => Promise<void>) | undefined;
};

const REASONS: Readonly<Record<Undelivered['reason'], string>> = {
  refused: 'Refused by the mail server',
  failed: 'Couldn’t be emailed',
  'no-address': 'No email address',
  waiting: 'Waiting to be emailed',
};

function ReceiptRow({ receipt, onDownload, onSend, onPosted }: ReceiptRowProps) {
  const { name, email, number, amount, reason } = receipt;
  const { busy, problem, run } = useAttempt();
  const ofReceipt = <VisuallyHidden>: receipt no. {number}</VisuallyHidden>;
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
                {ofReceipt}
              </Button>
            )}
            <Button kind="quiet" busy={busy} onClick={() => void run(onDownload)}>
              Download PDF{ofReceipt}
            </Button>
            {onPosted && (
              <Button kind="quiet" busy={busy} onClick={() => void run(onPosted)}>
                Sent by post{ofReceipt}
              </Button>
            )}
            <Problem inline>{problem}</Problem>
          </Cluster>
        </>
      }
    />
  );
}

function factsOf({ email, number, givenOn, code }: Undelivered): string[] {
  return [
    ...(email === null ? [] : [email]),
    `Receipt no. ${number}`,
    `Gift date ${dayText(givenOn)}`,
    ...(code === null ? [] : [`Code ${code}`]),
  ];
}

function useUndelivered(orgid: string, first: ListPage<Undelivered>) {
  const api = useApi();
  const navigator = useNavigator();
  const toast = useToast();
  const [sending, open] = useState<Undelivered>();
  const list = useList<Undelivered, undefined>({
    first,
    query: undefined,
    load: (_query, cursorRef) => loadUndelivered(api, orgid, cursorRef),
  });
  const done = ({ id }: Undelivered, said: string) => {
    navigator.forget();
    list.remove(id);
    toast(said);
  };
  const sendTo = async (receipt: Undelivered, email: string) => {
    const params = { orgid, entryid: receipt.id };
    const sent = await api.call('sendReceiptTo', { params, body: { email } });
    open(undefined);
    done(receipt, `Receipt no. ${sent.number} is on its way to ${sent.email}`);
  };
  const notePosted = async (receipt: Undelivered) => {
    await api.call('noteReceiptPosted', { params: { orgid, entryid: receipt.id } });
    done(receipt, `Receipt no. ${receipt.number} is marked as sent by mail`);
  };
  return { list, sending, open, sendTo, notePosted };
}
