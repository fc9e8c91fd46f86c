import { useMutation, useMutationState, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { ListedCheckout } from '#contract/schemas/checkout-records.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { failureMessage } from '#web/api/error-messages.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { AttentionSection } from '#web/payment/attention-section.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { List } from '#web/ui/list-page.tsx';
import { PageLinks } from '#web/ui/page-links.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { ChecksTab } from '../checks/checks-tab.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { ReceiptsTab } from '../receipts/receipts-tab.tsx';
import styles from '../treasury.module.css';
import { donorOf } from '../treasury-labels.ts';
import { CheckoutDialog } from './checkout-dialog.tsx';
import { attentionQuery, type CheckoutPage, checkoutsQuery, searchKey } from './checkout-queries.ts';
import { CheckoutSearch } from './checkout-search.tsx';
import { CheckoutSums } from './checkout-sums.tsx';
import { CheckoutTable } from './checkout-table.tsx';
import {
  type CheckoutFilters,
  type CheckoutView,
  checkoutsAddress,
  checksAddress,
  NO_FILTERS,
  receiptsAddress,
  searchBodyOf,
} from './checkout-view.ts';
import { ExportDialog } from './export-dialog.tsx';
import type { CheckoutsData } from './route.ts';

/** Gifts by card, gifts by check, and receipts that have to be sent by hand (§2). */
export function CheckoutsPage({ org, view }: OrgFrame & CheckoutsData) {
  const [exporting, setExporting] = useState(false);
  // Here, since the server may reject a deletion after another page of checkouts has been opened.
  const deletion = useDeleteCheckout(org.id);
  const can = useCan(org.id);
  const tabs = [
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
      <SegmentLinks label="Gifts and receipts" segments={tabs} />
      <Problem>
        {deletion.failures.length > 0 &&
          deletion.failures
            .map(({ checkout, error }) => `${donorOf(checkout)}’s checkout was not deleted. ${failureMessage(error)}`)
            .join(' ')}
      </Problem>
      {view.tab === 'checkouts' && <CheckoutsTab org={org} view={view} deletion={deletion} />}
      {view.tab === 'checks' && <ChecksTab key={view.checks ?? 'all'} orgId={org.id} status={view.checks} />}
      {view.tab === 'receipts' && <ReceiptsTab orgId={org.id} />}
      {exporting && <ExportDialog orgId={org.id} onClose={() => setExporting(false)} />}
    </EditorFrame>
  );
}

type CheckoutsTabProps = { org: Org; view: CheckoutView; deletion: Deletion };

function CheckoutsTab({ org, view, deletion }: CheckoutsTabProps) {
  const navigator = useNavigator();
  const search = (filters: CheckoutFilters) =>
    void navigator.go(checkoutsAddress(org.id, filters), { keepScroll: true });
  return (
    <>
      <Attention org={org} />
      <CheckoutSearch searchKey={JSON.stringify(searchBodyOf(view))} filters={view} onSearch={search} />
      <Cluster gap={4} className={styles.found}>
        <CheckoutSums orgId={org.id} filters={view} />
        <PaidFilter orgId={org.id} view={view} />
      </Cluster>
      <CheckoutList key={JSON.stringify(view)} orgId={org.id} view={view} deletion={deletion} />
    </>
  );
}

/** Money that could not be applied. */
function Attention({ org }: { org: Org }) {
  const api = useApi();
  const canSettle = useCan(org.id)('attention.settle');
  const { data: items } = useSuspenseQuery(attentionQuery(api, org.id));
  const settle = ({ id }: AttentionItem, note: string) =>
    api.call('settleAttention', { params: { orgid: org.id, itemid: id }, body: { note } });
  return (
    <AttentionSection
      items={items}
      zone={org.timeZone}
      checkoutPath={(id) => checkoutsAddress(org.id, { ...NO_FILTERS, query: id })}
      onSettle={canSettle ? settle : undefined}
    />
  );
}

/** Repeats the search among paid checkouts only, or among all. */
function PaidFilter({ orgId, view }: { orgId: string; view: CheckoutFilters }) {
  const isPaidOnly = view.status === 'received';
  return (
    <ButtonLink kind="quiet" to={checkoutsAddress(orgId, { ...view, status: isPaidOnly ? undefined : 'received' })}>
      {isPaidOnly ? 'Include unpaid checkouts' : 'Show only paid checkouts'}
    </ButtonLink>
  );
}

type CheckoutListProps = { orgId: string; view: CheckoutView; deletion: Deletion };

/** A page of the checkouts found, and the one that is open. */
function CheckoutList({ orgId, view, deletion }: CheckoutListProps) {
  const canDelete = useCan(orgId)('checkouts.delete');
  const { data: page } = useSuspenseQuery(checkoutsQuery(useApi(), orgId, view));
  const { hasPrevious, hasNext } = page;
  const checkouts = page.checkouts.filter(({ id }) => !deletion.deletingIds.includes(id));
  const [first, last] = [checkouts[0], checkouts.at(-1)];
  const [opened, setOpened] = useState<ListedCheckout>();
  const remove = (checkout: ListedCheckout) => {
    setOpened(undefined);
    deletion.remove(checkout);
  };
  return (
    <>
      <output>
        <VisuallyHidden>
          {checkouts.length === 1 ? '1 checkout' : `${checkouts.length} checkouts`} on this page
        </VisuallyHidden>
      </output>
      <List items={checkouts} what="checkouts" empty="No checkouts found.">
        {(rows) => <CheckoutTable checkouts={rows} onOpen={setOpened} />}
      </List>
      <PageLinks
        previous={hasPrevious && first ? checkoutsAddress(orgId, view, { before: first.id }) : undefined}
        next={hasNext && last ? checkoutsAddress(orgId, view, { after: last.id }) : undefined}
      />
      {opened && (
        <CheckoutDialog
          orgId={orgId}
          checkout={opened}
          onDelete={canDelete ? () => remove(opened) : undefined}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

type FailedDeletion = { readonly checkout: ListedCheckout; readonly error: Error };

type Deletion = ReturnType<typeof useDeleteCheckout>;

/** Hides the row first, then calls the server (§4). If the server rejects the call, the row reappears. */
function useDeleteCheckout(orgId: string) {
  const api = useApi();
  const toast = useToast();
  const client = useQueryClient();
  const [failures, setFailures] = useState<readonly FailedDeletion[]>([]);
  const queryKey = searchKey(orgId);
  const { mutate } = useMutation({
    mutationKey: DELETE_KEY,
    mutationFn: ({ id }: ListedCheckout) => api.call('deleteCheckout', { params: { orgid: orgId, checkoutid: id } }),
    onMutate: ({ id }) => setFailures((previous) => previous.filter(({ checkout }) => checkout.id !== id)),
    onError: (error, checkout) => {
      setFailures((previous) => [...previous, { checkout, error }]);
      void client.invalidateQueries({ queryKey });
    },
    onSuccess: (_result, { id }) => {
      client.setQueriesData<CheckoutPage>(
        { queryKey },
        (page) => page && { ...page, checkouts: page.checkouts.filter((row) => row.id !== id) },
      );
      toast('Checkout deleted');
    },
  });
  const deletingIds = useMutationState({
    filters: { mutationKey: DELETE_KEY, status: 'pending' },
    // Only the mutation above has this key, so the cast is safe.
    select: ({ state }) => (state.variables as ListedCheckout).id,
  });
  return { remove: mutate, deletingIds, failures };
}

const DELETE_KEY = ['deleteCheckout'];
