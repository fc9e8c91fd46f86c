import { useState } from 'react';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { CheckoutListed } from '#contract/schemas/checkout-records.ts';
import { formatDollars } from '#domain/money.ts';
import { failureMessage } from '#web/api/refusal.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { AttentionSection } from '#web/payment/attention-section.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { ChecksTab } from '../checks/checks-tab.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { ReceiptsTab } from '../receipts/receipts-tab.tsx';
import styles from '../treasury.module.css';
import { donorOf } from '../treasury-labels.ts';
import { CheckoutDialog } from './checkout-dialog.tsx';
import { CheckoutSums } from './checkout-sums.tsx';
import { CheckoutSearch, CheckoutTable, PageTurner } from './checkout-table.tsx';
import {
  type CheckoutFilters,
  checkoutsAddress,
  checksAddress,
  NO_FILTERS,
  receiptsAddress,
  searchBodyOf,
} from './checkout-view.ts';
import { ExportDialog } from './export-dialog.tsx';
import type { RefundRequest } from './refund-dialog.tsx';
import type { CheckoutPage, CheckoutsData } from './route.ts';
import { useSendReceipt } from './send-receipt.tsx';

export function CheckoutsPage({ org, view, attention, page, checks, receipts }: OrgFrame & CheckoutsData) {
  const [exporting, setExporting] = useState(false);
  const can = useCan(org.id);
  const api = useApi();
  const settle = ({ id }: AttentionItem, note: string) =>
    api.call('settleAttention', { params: { orgid: org.id, itemid: id }, body: { note } });
  const segments = [
    { label: 'By card', to: checkoutsAddress(org.id, view), isCurrent: view.tab === 'checkouts' },
    ...(can('checks.read') ? [{ label: 'By check', to: checksAddress(org.id), isCurrent: view.tab === 'checks' }] : []),
    ...(can('receipts.read')
      ? [{ label: 'Receipts to send', to: receiptsAddress(org.id), isCurrent: view.tab === 'receipts' }]
      : []),
  ];
  return (
    <EditorFrame
      org={org}
      title="Checkouts"
      actions={
        can('ledger.download') && (
          <Button kind="outline" onClick={() => setExporting(true)}>
            Export the ledger
          </Button>
        )
      }
    >
      <SegmentLinks label="Gifts and receipts" segments={segments} />
      <AttentionSection
        items={attention}
        zone={org.timeZone}
        checkoutPath={(id) => checkoutsAddress(org.id, { ...NO_FILTERS, query: id })}
        onSettle={can('attention.settle') ? settle : undefined}
      />
      {page && <CheckoutsPart orgid={org.id} view={view} page={page} />}
      {checks && <ChecksTab key={view.checks ?? 'all'} orgid={org.id} status={view.checks} first={checks} />}
      {receipts && <ReceiptsTab orgid={org.id} first={receipts} />}
      {exporting && <ExportDialog orgid={org.id} onClose={() => setExporting(false)} />}
    </EditorFrame>
  );
}

type CheckoutsPartProps = { orgid: string; view: CheckoutsData['view']; page: CheckoutPage };

/** The search and its sums stay while its pages are turned. */
function CheckoutsPart({ orgid, view, page }: CheckoutsPartProps) {
  const navigator = useNavigator();
  const [changes, setChanges] = useState(0);
  const searched = JSON.stringify(searchBodyOf(view));
  const search = (next: CheckoutFilters) => void navigator.go(checkoutsAddress(orgid, next), { keepScroll: true });
  return (
    <>
      <CheckoutSearch searched={searched} filters={view} onSearch={search} />
      <Cluster gap={4} className={styles.found}>
        <CheckoutSums key={`${searched} ${changes}`} orgid={orgid} filters={view} />
        <PaidFilter orgid={orgid} view={view} />
      </Cluster>
      <CheckoutsTab
        key={JSON.stringify(view)}
        orgid={orgid}
        view={view}
        page={page}
        onChange={() => setChanges((count) => count + 1)}
      />
    </>
  );
}

/** Repeats the search among paid checkouts only, or among all. */
function PaidFilter({ orgid, view }: { orgid: string; view: CheckoutFilters }) {
  const isPaidOnly = view.status === 'received';
  return (
    <ButtonLink kind="quiet" to={checkoutsAddress(orgid, { ...view, status: isPaidOnly ? undefined : 'received' })}>
      {isPaidOnly ? 'Include unpaid checkouts' : 'Show only paid checkouts'}
    </ButtonLink>
  );
}

/** @param onChange called when the sums have changed */
function CheckoutsTab({ orgid, view, page, onChange }: CheckoutsPartProps & { onChange: () => void }) {
  const { items, opened, open, problem, load, sendReceipt, refund, stopGift, remove, previous, next } = useCheckouts(
    orgid,
    view,
    page,
    onChange,
  );
  const can = useCan(orgid);
  useFocusAfterRemoval(items.length);
  return (
    <>
      <output>
        <VisuallyHidden>{items.length === 1 ? '1 checkout' : `${items.length} checkouts`} on this page</VisuallyHidden>
      </output>
      <Problem>{problem}</Problem>
      <CheckoutTable checkouts={items} onOpen={open} />
      <PageTurner previous={previous} next={next} />
      {opened && (
        <CheckoutDialog
          orgid={orgid}
          checkout={opened}
          load={() => load(opened)}
          sendReceipt={sendReceipt}
          onRefund={can('payments.refund') ? (request) => refund(opened, request) : undefined}
          onStop={can('gifts.stop') ? () => stopGift(opened) : undefined}
          onDelete={can('checkouts.delete') ? () => void remove(opened) : undefined}
          onClose={() => open(undefined)}
        />
      )}
    </>
  );
}

function useCheckouts(orgid: string, filters: CheckoutFilters, page: CheckoutPage, onChange: () => void) {
  const api = useApi();
  const navigator = useNavigator();
  const toast = useToast();
  const sendReceipt = useSendReceipt(orgid);
  const [deleted, setDeleted] = useState<ReadonlySet<string>>(new Set());
  /** Changes to rows since the page was loaded. */
  const [changed, setChanged] = useState<ReadonlyMap<string, Partial<CheckoutListed>>>(new Map());
  const [opened, open] = useState<CheckoutListed>();
  const [problem, setProblem] = useState<string>();
  const { checkouts, hasPrevious, hasNext } = page;
  const [first, last] = [checkouts[0], checkouts.at(-1)];

  /** Removes the row first, then calls the server (§4). If that fails, the row comes back with the reason. */
  const remove = async (checkout: CheckoutListed) => {
    open(undefined);
    setProblem(undefined);
    setDeleted((before) => new Set(before).add(checkout.id));
    try {
      await api.call('deleteCheckout', { params: { orgid, checkoutid: checkout.id } });
      navigator.forget();
      onChange();
      toast('Checkout deleted');
    } catch (error) {
      setDeleted((before) => new Set([...before].filter((id) => id !== checkout.id)));
      setProblem(`${donorOf(checkout)}’s checkout was not deleted. ${failureMessage(error)}`);
    }
  };
  const load = async ({ id }: CheckoutListed) => {
    const record = await api.call('readCheckoutRecord', { params: { orgid, checkoutid: id } });
    const { paymentStatus, refunded } = record;
    setChanged((before) => new Map(before).set(id, { paymentStatus, refunded }));
    return record;
  };
  const refund = async ({ id }: CheckoutListed, body: RefundRequest) => {
    const { recorded } = await api.call('refundPayment', { params: { orgid, checkoutid: id }, body });
    navigator.forget();
    onChange();
    const amount = formatDollars(body.amount);
    toast(recorded ? `Refunding ${amount}` : `Refunding ${amount}. It will appear here within minutes.`);
  };
  return {
    items: checkouts.filter(({ id }) => !deleted.has(id)).map((each) => ({ ...each, ...changed.get(each.id) })),
    opened,
    open,
    problem,
    remove,
    sendReceipt,
    load,
    refund,
    stopGift: async ({ id }: CheckoutListed) => {
      const stopped = await api.call('stopCheckoutGift', { params: { orgid, checkoutid: id } });
      toast('Recurring gift stopped');
      return stopped;
    },
    // A deleted checkout is still a valid cursor.
    previous: hasPrevious && first ? checkoutsAddress(orgid, filters, { before: first.id }) : undefined,
    next: hasNext && last ? checkoutsAddress(orgid, filters, { after: last.id }) : undefined,
  };
}
