import { useRef, useState } from 'react';
import type { Pledge, ReceivedCheck } from '#contract/schemas/pledges.ts';
import type { PledgeStatus } from '#domain/check.ts';
import { formatDollars } from '#domain/money.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { checksAddress } from '../checkouts/checkout-view.ts';
import { useSendReceipt } from '../checkouts/use-send-receipt.ts';
import { type RecordForm, receivedCheck } from './check-form.ts';
import { type ChecksPart, loadChecks } from './load-checks.ts';

/** What is asked on top of the list. */
type Asking = { readonly kind: 'record' } | { readonly kind: 'receive'; readonly pledge: Pledge };

/** The checks of a status, and what becomes of them. */
export function useChecksPart(orgid: string, status: PledgeStatus | undefined, first: ChecksPart) {
  const api = useApi();
  const navigator = useNavigator();
  const toast = useToast();
  const sendReceipt = useSendReceipt(orgid);
  const [shown, setShown] = useState(first);
  const [asking, ask] = useState<Asking>();
  const { busy, problem, run } = useAttempt();
  // The same one as long as the dialog is open: pressed again after a lost answer, the check is written down once.
  const newId = useRef('');
  const close = () => ask(undefined);
  /** Puts a check as it is now in its place, where it can still be taken back, or on top of the list. */
  const put = (pledge: Pledge) => {
    navigator.forget();
    setShown(({ items, nextCursor }) => {
      const isKnown = items.some(({ id }) => id === pledge.id);
      const others = items.map((each) => (each.id === pledge.id ? pledge : each));
      return { items: isKnown ? others : [pledge, ...items], nextCursor };
    });
  };

  const withdraw = async ({ id, name }: Pledge, withdrawn: boolean) => {
    put(await api.call('withdrawPledge', { params: { orgid, pledgeid: id }, body: { withdrawn } }));
    toast(`The check of ${name ?? 'somebody'} ${withdrawn ? 'is withdrawn' : 'waits again'}`);
  };
  const receive = async ({ id, name }: Pledge, check: ReceivedCheck) => {
    const pledge = await api.call('receivePledge', { params: { orgid, pledgeid: id }, body: check });
    put(pledge);
    close();
    toast(`${formatDollars(check.amount)} of ${name ?? 'somebody'} counts now, receipt no. ${pledge.receiptNumber}`);
  };
  const record = async (form: RecordForm) => {
    if (newId.current === '') newId.current = crypto.randomUUID();
    const { amount, ...received } = receivedCheck(form);
    const pledge = await api.call('recordPledge', {
      params: { orgid, pledgeid: newId.current },
      body: { name: form.name.trim(), email: form.email.trim(), amount, ...(form.isHere ? { received } : {}) },
    });
    newId.current = '';
    put(pledge);
    close();
    toast(form.isHere ? `The check of ${pledge.name} counts now` : `The check of ${pledge.name} is written down`);
  };
  const loadMore = () =>
    run(async () => {
      const part = await loadChecks(api, orgid, status, shown.nextCursor);
      setShown((before) => ({ items: [...before.items, ...part.items], nextCursor: part.nextCursor }));
    });
  const choose = (chosen: PledgeStatus | 'all') =>
    void navigator.go(checksAddress(orgid, chosen), { keepScroll: true });
  return {
    checks: shown.items,
    nextCursor: shown.nextCursor,
    asking,
    ask: (next: Asking) => {
      newId.current = '';
      ask(next);
    },
    close,
    busy,
    problem,
    withdraw,
    receive,
    record,
    loadMore,
    choose,
    sendReceipt,
  };
}
