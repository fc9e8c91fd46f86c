import { useState } from 'react';
import type { CheckoutListed } from '#contract/schemas/checkout-records.ts';
import { failedSentence } from '#web/api/refusal.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import { useToast } from '#web/ui/toast.tsx';
import { donorOf } from '../treasury-words.ts';
import { type CheckoutFilters, checkoutsAddress } from './checkout-view.ts';
import type { CheckoutPage } from './route.ts';
import { useSendReceipt } from './use-send-receipt.ts';

/** The checkouts of a page, and what is done about them. */
export function useCheckoutsPart(orgid: string, filters: CheckoutFilters, page: CheckoutPage) {
  const api = useApi();
  const navigator = useNavigator();
  const toast = useToast();
  const sendReceipt = useSendReceipt(orgid);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [opened, open] = useState<CheckoutListed>();
  const [problem, setProblem] = useState<string>();
  const { checkouts, hasPrevious, hasNext } = page;
  const [first, last] = [checkouts[0], checkouts.at(-1)];

  /** Takes it off the list at once, and calls the server then (§4); where that fails it is back, with the reason. */
  const remove = async (checkout: CheckoutListed) => {
    open(undefined);
    setProblem(undefined);
    setGone((before) => new Set(before).add(checkout.id));
    try {
      await api.call('deleteCheckout', { params: { orgid, checkoutid: checkout.id } });
      navigator.forget();
      toast('The checkout is deleted');
    } catch (error) {
      setGone((before) => new Set([...before].filter((id) => id !== checkout.id)));
      setProblem(`The checkout of ${donorOf(checkout)} is not deleted. ${failedSentence(error)}`);
    }
  };
  return {
    shown: checkouts.filter(({ id }) => !gone.has(id)),
    opened,
    open,
    close: () => open(undefined),
    problem,
    remove,
    sendReceipt,
    load: ({ id }: CheckoutListed) => api.call('readCheckoutRecord', { params: { orgid, checkoutid: id } }),
    search: (wanted: CheckoutFilters) => void navigator.go(checkoutsAddress(orgid, wanted), { keepScroll: true }),
    // A checkout that was deleted meanwhile still has its place in the list.
    previous: hasPrevious && first ? checkoutsAddress(orgid, filters, { before: first.id }) : undefined,
    next: hasNext && last ? checkoutsAddress(orgid, filters, { after: last.id }) : undefined,
  };
}
