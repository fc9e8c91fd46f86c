import { useState } from 'react';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import { PLEDGE_STATUSES, type PledgeStatus, type Reversal } from '#domain/check.ts';
import { formatDollars } from '#domain/money.ts';
import { type ListPage, useList } from '#web/api/use-list.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster, ItemList } from '#web/ui/layout.tsx';
import { EmptyNote, ListFoot } from '#web/ui/list-parts.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { checksAddress } from '../checkouts/checkout-view.ts';
import { loadChecks } from '../checkouts/route.ts';
import { useSendReceipt } from '../checkouts/send-receipt.tsx';
import styles from '../treasury.module.css';
import { PLEDGE_LABELS } from '../treasury-labels.ts';
import { ReceiveDialog, RecordCheckDialog } from './check-dialogs.tsx';
import { type RecordForm, receivedCheck } from './check-form.ts';
import { CheckRow } from './check-row.tsx';
import { ReverseDialog } from './reverse-dialog.tsx';

type ChecksTabProps = {
  orgid: string;
  /** Undefined lists all of them. */
  status: PledgeStatus | undefined;
  first: ListPage<Pledge>;
};

/** Checks that were pledged, and those that came. */
export function ChecksTab({ orgid, status, first }: ChecksTabProps) {
  const { list, dialog, open, close, cancelPledge, receive, reverse, record, sendReceipt } = useChecks(
    orgid,
    status,
    first,
  );
  const navigator = useNavigator();
  const canManage = useCan(orgid)('checks.manage');
  useFocusAfterRemoval(list.items);
  const options = PLEDGE_STATUSES.map((each) => ({ value: each, label: PLEDGE_LABELS[each].label }));
  const choose = (value: string) => {
    const chosen = PLEDGE_STATUSES.find((each) => each === value) ?? 'all';
    void navigator.go(checksAddress(orgid, chosen), { keepScroll: true });
  };
  return (
    <>
      <Cluster className={styles.tools}>
        <SelectField
          beside
          label="Checks"
          value={status ?? 'all'}
          options={[...options, { value: 'all', label: 'All' }]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {canManage && (
          <Button onClick={() => open({ kind: 'record' })}>
            <Icon name="plus" /> Record a check
          </Button>
        )}
      </Cluster>
      {list.items.length > 0 ? (
        <ItemList>
          {list.items.map((pledge) => (
            <CheckRow
              key={pledge.id}
              pledge={pledge}
              canManage={canManage}
              onReceive={() => open({ kind: 'receive', pledge })}
              onReverse={() => open({ kind: 'reverse', pledge })}
              onCancel={cancelPledge}
              sendReceipt={sendReceipt}
            />
          ))}
        </ItemList>
      ) : (
        <EmptyNote>{status === 'pledged' ? 'No checks waiting.' : 'No checks found.'}</EmptyNote>
      )}
      <ListFoot {...list} what="checks" onMore={() => void list.loadMore()} />
      {dialog?.kind === 'record' && <RecordCheckDialog onRecord={record} onClose={close} />}
      {dialog?.kind === 'reverse' && (
        <ReverseDialog
          pledge={dialog.pledge}
          onReverse={(because, reason) => reverse(dialog.pledge, because, reason)}
          onClose={close}
        />
      )}
      {dialog?.kind === 'receive' && (
        <ReceiveDialog pledge={dialog.pledge} onReceive={(check) => receive(dialog.pledge, check)} onClose={close} />
      )}
    </>
  );
}

type ChecksDialog = { readonly kind: 'record' } | { readonly kind: 'receive' | 'reverse'; readonly pledge: Pledge };

function useChecks(orgid: string, status: PledgeStatus | undefined, first: ListPage<Pledge>) {
  const api = useApi();
  const navigator = useNavigator();
  const toast = useToast();
  const [dialog, open] = useState<ChecksDialog>();
  const list = useList<Pledge, PledgeStatus | undefined>({
    first,
    query: status,
    load: (of, cursorRef) => loadChecks(api, orgid, of, cursorRef),
  });
  const close = () => open(undefined);
  /** Adds or updates a check. It stays listed even if the filter no longer matches, so that a change can be undone. */
  const put = (pledge: Pledge) => {
    navigator.forget();
    list.put(pledge, 'add');
  };

  const cancelPledge = async ({ id, name, status: before }: Pledge, withdrawn: boolean) => {
    put(await api.call('withdrawPledge', { params: { orgid, pledgeid: id }, body: { withdrawn } }));
    const kept = before === 'unlikely' ? 'kept' : 'open again';
    toast(`The pledge by ${name ?? 'a deleted account'} is ${withdrawn ? 'canceled' : kept}`);
  };
  const receive = async ({ id, name }: Pledge, check: ReceivedCheck) => {
    const pledge = await api.call('receivePledge', { params: { orgid, pledgeid: id }, body: check });
    put(pledge);
    close();
    const donor = name ?? 'a deleted account';
    toast(`${formatDollars(check.amount)} from ${donor} is recorded, receipt no. ${pledge.receiptNumber}`);
  };
  const reverse = async ({ id, name, entryid }: Pledge, because: Reversal, reason: string) => {
    if (entryid === null) return;
    put(await api.call('reversePledge', { params: { orgid, pledgeid: id }, body: { entryid, because, reason } }));
    close();
    toast(`The check from ${name ?? 'a deleted account'} is reversed`);
  };
  const record = async (id: string, form: RecordForm) => {
    const { amount, ...received } = receivedCheck(form);
    const pledge = await api.call('recordPledge', {
      params: { orgid, pledgeid: id },
      body: { name: form.name.trim(), email: form.email.trim(), amount, ...(form.isHere ? { received } : {}) },
    });
    put(pledge);
    close();
    toast(form.isHere ? `The check from ${pledge.name} is recorded` : `The pledge by ${pledge.name} is recorded`);
  };
  return { list, dialog, open, close, cancelPledge, receive, reverse, record, sendReceipt: useSendReceipt(orgid) };
}
