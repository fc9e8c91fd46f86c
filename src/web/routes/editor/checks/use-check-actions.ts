import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import type { ReversalReason } from '#domain/check.ts';
import { formatDollars } from '#domain/money.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { retryDuringOutage } from '#web/api/retry-during-outage.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { type RecordForm, toReceivedCheck } from './check-form.ts';

type ReversalRequest = { readonly cause: ReversalReason; readonly reason: string };

/** Editors' actions on checks. Each one shows a toast after it succeeds. */
export function useCheckActions(orgId: string) {
  const api = useApi();
  const toast = useToast();
  const toParams = (pledgeId: string) => ({ orgid: orgId, pledgeid: pledgeId });
  const withdraw = (id: string, isWithdrawn: boolean) =>
    api.call('withdrawPledge', { params: toParams(id), body: { withdrawn: isWithdrawn } });
  return {
    /** Cancels the pledge, offering Undo, or restores a canceled one. */
    cancel: async ({ id, name, status: oldStatus }: Pledge, isWithdrawn: boolean) => {
      await withdraw(id, isWithdrawn);
      const donor = getPledgeName(name);
      const outcome = oldStatus === 'suspicious' ? 'kept' : 'open again';
      if (!isWithdrawn) return toast(`The pledge from ${donor} is ${outcome}`);
      const undo = () => void withdraw(id, false).catch((error: unknown) => toast(failureMessage(error)));
      toast(`The pledge from ${donor} is canceled`, { label: 'Undo', run: undo });
    },
    receive: async ({ id, name }: Pledge, check: ReceivedCheck) => {
      const { receiptNumber } = await api.call('receivePledge', { params: toParams(id), body: check });
      toast(`${formatDollars(check.amount)} from ${getPledgeName(name)} is recorded, receipt no. ${receiptNumber}`);
    },
    reverse: async ({ id, name, entryid: entryId }: Pledge, { cause, reason }: ReversalRequest) => {
      if (entryId === null) return;
      await api.call('reversePledge', { params: toParams(id), body: { entryid: entryId, cause, reason } });
      toast(`The check from ${getPledgeName(name)} is reversed`);
    },
    /** @param id the same for every attempt, so that retrying after a lost response doesn't record the check twice */
    record: async (id: string, form: RecordForm) => {
      const { amount, ...received } = toReceivedCheck(form);
      const { name: donor, email, postalAddress } = form;
      const facts = { name: donor.trim(), email: email.trim(), postalAddress: postalAddress.trim(), amount };
      const body = form.hasArrived ? { ...facts, received } : facts;
      const { name } = await retryDuringOutage(() => api.call('recordPledge', { params: toParams(id), body }));
      toast(form.hasArrived ? `The check from ${name} is recorded` : `The pledge from ${name} is recorded`);
    },
  };
}

export function getPledgeName(name: string | null): string {
  return name ?? 'a deleted account';
}
