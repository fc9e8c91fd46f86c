import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import type { Reversal } from '#domain/check.ts';
import { formatDollars } from '#domain/money.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { repeatDuringOutage } from '#web/api/repeat-during-outage.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { type RecordForm, receivedCheck } from './check-form.ts';

type Reversing = { readonly cause: Reversal; readonly reason: string };

/** Editors' actions on checks. Each one confirms its success with a toast. */
export function useCheckActions(orgId: string) {
  const api = useApi();
  const toast = useToast();
  const paramsOf = (pledgeId: string) => ({ orgid: orgId, pledgeid: pledgeId });
  const withdraw = (id: string, withdrawn: boolean) =>
    api.call('withdrawPledge', { params: paramsOf(id), body: { withdrawn } });
  return {
    /** Cancels the pledge, offering Undo, or restores a canceled one. */
    cancel: async ({ id, name, status: oldStatus }: Pledge, withdrawn: boolean) => {
      await withdraw(id, withdrawn);
      const donor = donorOf(name);
      if (!withdrawn) return toast(`The pledge by ${donor} is ${oldStatus === 'suspicious' ? 'kept' : 'open again'}`);
      const undo = () => void withdraw(id, false).catch((error: unknown) => toast(failureMessage(error)));
      toast(`The pledge by ${donor} is canceled`, { label: 'Undo', run: undo });
    },
    receive: async ({ id, name }: Pledge, check: ReceivedCheck) => {
      const { receiptNumber } = await api.call('receivePledge', { params: paramsOf(id), body: check });
      toast(`${formatDollars(check.amount)} from ${donorOf(name)} is recorded, receipt no. ${receiptNumber}`);
    },
    reverse: async ({ id, name, entryid: entryId }: Pledge, { cause, reason }: Reversing) => {
      if (entryId === null) return;
      await api.call('reversePledge', { params: paramsOf(id), body: { entryid: entryId, cause, reason } });
      toast(`The check from ${donorOf(name)} is reversed`);
    },
    /** @param id the same for every attempt, so that retrying after a lost response doesn't record the check twice */
    record: async (id: string, form: RecordForm) => {
      const { amount, ...received } = receivedCheck(form);
      const { name: donor, email, postalAddress } = form;
      const facts = { name: donor.trim(), email: email.trim(), postalAddress: postalAddress.trim(), amount };
      const body = form.hasArrived ? { ...facts, received } : facts;
      const { name } = await repeatDuringOutage(() => api.call('recordPledge', { params: paramsOf(id), body }));
      toast(form.hasArrived ? `The check from ${name} is recorded` : `The pledge by ${name} is recorded`);
    },
  };
}

export function donorOf(name: string | null): string {
  return name ?? 'a deleted account';
}
