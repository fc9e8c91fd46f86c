import { useState } from 'react';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import { PLEDGE_STATUSES, type PledgeStatus, type Reversal } from '#domain/check.ts';
import { formatDollars } from '#domain/money.ts';
import { m } from '#messages';
import { failureMessage } from '#web/api/error-messages.ts';
import { repeatDuringOutage } from '#web/api/repeat-during-outage.ts';
import { useList } from '#web/api/use-list.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster, ItemList } from '#web/ui/layout.tsx';
import { List } from '#web/ui/list-page.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { checksQuery } from '../checkouts/checkout-queries.ts';
import { checksAddress } from '../checkouts/checkout-view.ts';
import { useSendReceipt } from '../checkouts/send-receipt.tsx';
import styles from '../treasury.module.css';
import { PLEDGE_LABELS } from '../treasury-labels.ts';
import { ReceiveDialog, RecordCheckDialog } from './check-dialogs.tsx';
import { type RecordForm, receivedCheck } from './check-form.ts';
import { CheckRow } from './check-row.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';

type ChecksTabProps = {
  orgId: string;
  /** Undefined lists all of them. */
  status: PledgeStatus | undefined;
};

/** Pledged and received checks. */
export function ChecksTab({ orgId, status }: ChecksTabProps) {
  const { list, dialog, setDialog, close, cancelPledge, receive, reverse, record, sendReceipt } = useChecks(
    orgId,
    status,
  );
  const navigator = useNavigator();
  const canManage = useCan(orgId)('checks.manage');
  const options = PLEDGE_STATUSES.map((each) => ({ value: each, label: PLEDGE_LABELS[each].label }));
  const choose = (value: string) => {
    const newStatus = PLEDGE_STATUSES.find((each) => each === value) ?? 'all';
    void navigator.go(checksAddress(orgId, newStatus), { keepScroll: true });
  };
  return (
    <>
      <Cluster className={styles.tools}>
        <SelectField
          inline
          label="Checks"
          value={status ?? 'all'}
          options={[...options, { value: 'all', label: 'All' }]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {canManage && (
          <Button onClick={() => setDialog(newRecordDialog())}>
            <Icon name="plus" /> Record a check
          </Button>
        )}
      </Cluster>
      <List {...list} what="checks" empty={status === 'pledged' ? 'No checks waiting.' : 'No checks found.'}>
        {(checks) => (
          <ItemList>
            {checks.map((pledge) => (
              <CheckRow
                key={pledge.id}
                pledge={pledge}
                canManage={canManage}
                onReceive={() => setDialog({ kind: 'receive', pledge })}
                onReverse={() => setDialog({ kind: 'reverse', pledge })}
                onCancel={cancelPledge}
                sendReceipt={sendReceipt}
              />
            ))}
          </ItemList>
        )}
      </List>
      {dialog?.kind === 'record' && (
        <RecordCheckDialog
          key={dialog.id}
          onRecord={(form, addsAnother) => record(dialog.id, form, addsAnother)}
          onClose={close}
        />
      )}
      {dialog?.kind === 'reverse' && (
        <ReverseDialog
          pledge={dialog.pledge}
          onReverse={(reversing) => reverse(dialog.pledge, reversing)}
          onClose={close}
        />
      )}
      {dialog?.kind === 'receive' && (
        <ReceiveDialog pledge={dialog.pledge} onReceive={(check) => receive(dialog.pledge, check)} onClose={close} />
      )}
    </>
  );
}

type ChecksDialog =
  | { readonly kind: 'record'; readonly id: string }
  | { readonly kind: 'receive' | 'reverse'; readonly pledge: Pledge };

/** One id for all attempts, so a retry doesn't record it twice. */
function newRecordDialog(): ChecksDialog {
  return { kind: 'record', id: crypto.randomUUID() };
}

type Reversing = { readonly because: Reversal; readonly reason: string };

function useChecks(orgId: string, status: PledgeStatus | undefined) {
  const api = useApi();
  const toast = useToast();
  const [dialog, setDialog] = useState<ChecksDialog>();
  const list = useList(checksQuery(api, orgId, status));
  const close = () => setDialog(undefined);
  const paramsOf = (pledgeId: string) => ({ orgid: orgId, pledgeid: pledgeId });
  /** Lists a new or changed check, or removes it if the filter no longer matches. */
  const putInList = (pledge: Pledge) => {
    list.put(pledge, status === undefined || pledge.status === status ? 'add' : 'remove');
    return pledge;
  };

  const cancelPledge = async ({ id, name, status: oldStatus }: Pledge, withdrawn: boolean) => {
    putInList(await api.call('withdrawPledge', { params: paramsOf(id), body: { withdrawn } }));
    const donor = name ?? 'a deleted account';
    if (!withdrawn) return toast(`The pledge by ${donor} is ${oldStatus === 'suspicious' ? 'kept' : 'open again'}`);
    const restore = async () => {
      putInList(await api.call('withdrawPledge', { params: paramsOf(id), body: { withdrawn: false } }));
    };
    const undo = () => void restore().catch((error: unknown) => toast(failureMessage(error)));
    toast(`The pledge by ${donor} is canceled`, { label: m.undo(), run: undo });
  };
  const receive = async ({ id, name }: Pledge, check: ReceivedCheck) => {
    const { receiptNumber } = putInList(await api.call('receivePledge', { params: paramsOf(id), body: check }));
    close();
    const donor = name ?? 'a deleted account';
    toast(`${formatDollars(check.amount)} from ${donor} is recorded, receipt no. ${receiptNumber}`);
  };
  const reverse = async ({ id, name, entryid: entryId }: Pledge, { because, reason }: Reversing) => {
    if (entryId === null) return;
    putInList(await api.call('reversePledge', { params: paramsOf(id), body: { entryid: entryId, because, reason } }));
    close();
    toast(`The check from ${name ?? 'a deleted account'} is reversed`);
  };
  const record = async (id: string, form: RecordForm, addsAnother: boolean) => {
    const { amount, ...received } = receivedCheck(form);
    const facts = {
      name: form.name.trim(),
      email: form.email.trim(),
      postalAddress: form.postalAddress.trim(),
      amount,
    };
    const body = form.isHere ? { ...facts, received } : facts;
    const { name } = putInList(
      await repeatDuringOutage(() => api.call('recordPledge', { params: paramsOf(id), body })),
    );
    setDialog(addsAnother ? newRecordDialog() : undefined);
    toast(form.isHere ? `The check from ${name} is recorded` : `The pledge by ${name} is recorded`);
  };
  return { list, dialog, setDialog, close, cancelPledge, receive, reverse, record, sendReceipt: useSendReceipt(orgId) };
}
