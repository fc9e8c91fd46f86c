import type { HistoryEvent } from '#contract/schemas/checkout-records.ts';
import { useCan } from '#web/session/actor.ts';
import { describeEvent } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';
import styles from './gift-history.module.css';
import { DownloadReceiptButton, ResendButton, useSendReceipt } from './send-receipt.tsx';

type GiftHistoryProps = { orgId: string; history: readonly HistoryEvent[] };

/** All events of a checkout or check, oldest first. */
export function GiftHistory({ orgId, history }: GiftHistoryProps) {
  const sendReceipt = useSendReceipt(orgId);
  const canRead = useCan(orgId)('receipts.read');
  const { formatDate, formatDateTime } = useDates();
  return (
    <ol className={styles.history}>
      {withNumbers(history).map(({ number, item: event }) => {
        const { title, detail } = describeEvent(event);
        return (
          <li key={number}>
            <time dateTime={event.at} className={styles.when}>
              {formatDateTime(event.at)}
            </time>
            <span>
              {title}
              {detail !== '' && <small>{detail}</small>}
              {event.kind === 'entry' && event.receivedTimestamp !== null && event.datedTimestamp === null && (
                <small>Received {formatDate(event.receivedTimestamp)}</small>
              )}
              {event.kind === 'entry' && event.datedTimestamp !== null && (
                <small>Dated {formatDate(event.datedTimestamp)}, booked later because that month was closed.</small>
              )}
            </span>
            {event.kind === 'receipt' && (
              <span className={styles.receipt}>
                {canRead && <DownloadReceiptButton orgId={orgId} entryId={event.entryid} number={event.number} />}
                {event.email !== null && sendReceipt && (
                  <ResendButton number={event.number} onSend={() => sendReceipt(event.entryid)} />
                )}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** Adds a React key to items that may be equal. Only for lists that are never reordered. */
export function withNumbers<T>(items: readonly T[]): { readonly number: number; readonly item: T }[] {
  return items.map((item, number) => ({ number, item }));
}
