import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Mails a receipt once more, by the ledger's entry that it is for. */
export function useSendReceipt(orgid: string): (entryid: string) => Promise<void> {
  const api = useApi();
  const toast = useToast();
  return async (entryid) => {
    const { number, email } = await api.call('sendReceipt', { params: { orgid, entryid } });
    toast(`Receipt no. ${number} is on its way to ${email}`);
  };
}
