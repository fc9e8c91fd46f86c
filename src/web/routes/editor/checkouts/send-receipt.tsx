import { saveFile } from '#web/browser/save-file.ts';
import { ActionButton } from '#web/forms/action-button.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './send-receipt.module.css';

export type SendReceipt = (entryId: string) => Promise<void>;

/** Emails a ledger entry's receipt again, with the same number. Undefined for roles that can't send receipts. */
export function useSendReceipt(orgId: string): SendReceipt | undefined {
  const api = useApi();
  const toast = useToast();
  const can = useCan(orgId);
  if (!can('receipts.send')) return undefined;
  return async (entryId) => {
    const { number, email } = await api.call('sendReceipt', { params: { orgid: orgId, entryid: entryId } });
    toast(`Receipt no. ${number} is on its way to ${email}`);
  };
}

/** Downloads a ledger entry's receipt as a PDF. */
export function useDownloadReceipt(orgId: string): (entryId: string, number: number) => Promise<void> {
  const api = useApi();
  return async (entryId, number) => {
    const file = await api.download('downloadReceipt', { params: { orgid: orgId, entryid: entryId } });
    saveFile(`receipt-${number}.pdf`, file, 'application/pdf');
  };
}

export function DownloadReceiptButton({ orgId, entryId, number }: { orgId: string; entryId: string; number: number }) {
  const download = useDownloadReceipt(orgId);
  return (
    <span className={styles.sendAgain}>
      <ActionButton kind="quiet" action={() => download(entryId, number)}>
        PDF<VisuallyHidden> of receipt no. {number}</VisuallyHidden>
      </ActionButton>
    </span>
  );
}

export function ResendButton({ number, onSend }: { number: number; onSend: () => Promise<void> }) {
  return (
    <span className={styles.sendAgain}>
      <ActionButton kind="quiet" action={onSend}>
        Resend<VisuallyHidden> receipt no. {number}</VisuallyHidden>
      </ActionButton>
    </span>
  );
}
