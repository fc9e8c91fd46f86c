import { useMutation, useMutationState, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AttentionItem } from '#contract/schemas/attention.ts';
import type { ListedCheckout } from '#contract/schemas/checkout-records.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import { MAX_COUNTED_GIFTS } from '#domain/checkout-search.ts';
import { formatExportName } from '#domain/export-name.ts';
import { formatWhole } from '#domain/money.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { AttentionSection } from '#web/attention/attention-section.tsx';
import { saveFile } from '#web/browser/save-file.ts';
import { ActionButton } from '#web/forms/action-button.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { List } from '#web/ui/list-page.tsx';
import { PageLinks } from '#web/ui/page-links.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import {
  type CheckoutFilters,
  type CheckoutView,
  checkoutsUrl,
  type OpenGift,
  receiptsUrl,
  toSearchBody,
  viewUrl,
} from '../checkout-view.ts';
import { RecordChecks } from '../checks/check-dialogs.tsx';
import { EditorPage } from '../editor-frame.tsx';
import { getPayerName } from '../treasury-labels.ts';
import { CheckRecordDialog } from './check-record-dialog.tsx';
import { CheckoutDialog } from './checkout-dialog.tsx';
import { attentionQuery, checkoutsQuery, createSearchKey, isCheck, isRenewal, sumsQuery } from './checkout-queries.ts';
import { CheckoutSearch } from './checkout-search.tsx';
import { CheckoutSums } from './checkout-sums.tsx';
import { CheckoutTable } from './checkout-table.tsx';
import styles from './checkouts-page.module.css';
import { ExportDialog } from './export-dialog.tsx';
import { ReceiptsTab } from './receipts-tab.tsx';
import type { CheckoutsData } from './route.ts';

/** Gifts by card and by check, and receipts to send manually (§2). */
export function CheckoutsPage({ org, view }: OrgPageProps & CheckoutsData) {
  const [dialog, setDialog] = useState<'export' | 'check'>();
  // The state is here because the user may open another page of checkouts before the server rejects a deletion.
  const deletion = useDeleteCheckout(org.id);
  const can = useCan(org.id);
  const close = () => setDialog(undefined);
  return (
    <EditorPage
      org={org}
      title="Checkouts"
      actions={
        <Cluster gap={2}>
          {can('ledger.download') && (
            <Button kind="outline" onClick={() => setDialog('export')}>
              Export the ledger
            </Button>
          )}
          {can('checks.manage') && (
            <Button onClick={() => setDialog('check')}>
              <Icon name="plus" /> Record a check
            </Button>
          )}
        </Cluster>
      }
    >
      <SegmentLinks label="Gifts and receipts" segments={getTabs(org.id, view, can('receipts.read'))} />
      <Problem>
        {deletion.failures.length > 0 &&
          deletion.failures
            .map(
              ({ checkout, error }) => `${getPayerName(checkout)}’s checkout was not deleted. ${failureMessage(error)}`,
            )
            .join(' ')}
      </Problem>
      {view.tab === 'checkouts' && <CheckoutsTab org={org} view={view} deletion={deletion} />}
      {view.tab === 'receipts' && <ReceiptsTab orgId={org.id} />}
      {dialog === 'export' && <ExportDialog orgId={org.id} onClose={close} />}
      {dialog === 'check' && <RecordChecks orgId={org.id} onClose={close} />}
    </EditorPage>
  );
}

function getTabs(orgId: string, view: CheckoutView, canReadReceipts: boolean) {
  const kinds = [
    { label: 'All gifts', kind: undefined },
    { label: 'Online', kind: 'card' },
    { label: 'Checks', kind: 'check' },
  ] as const;
  return [
    ...kinds.map(({ label, kind }) => ({
      label,
      to: checkoutsUrl(orgId, { ...view, kind }),
      isCurrent: view.tab === 'checkouts' && view.kind === kind,
    })),
    ...(canReadReceipts
      ? [{ label: 'Receipts to send', to: receiptsUrl(orgId), isCurrent: view.tab === 'receipts' }]
      : []),
  ];
}

type CheckoutsTabProps = { org: Org; view: CheckoutView; deletion: Deletion };

function CheckoutsTab({ org, view, deletion }: CheckoutsTabProps) {
  const navigator = useNavigator();
  const search = (filters: CheckoutFilters) =>
    void navigator.go(checkoutsUrl(org.id, { ...filters, sort: view.sort, order: view.order }), {
      keepScroll: true,
    });
  const currentSearch = JSON.stringify(toSearchBody(view));
  const { openGift, ...listView } = view;
  return (
    <>
      <Attention org={org} />
      <CheckoutSearch searchKey={currentSearch} filters={view} onSearch={search} />
      <Cluster gap={4} className={styles.found}>
        <CheckoutSums orgId={org.id} filters={view} />
        <Cluster gap={2} className={styles.tools}>
          <AttemptsFilter orgId={org.id} view={view} />
          <DownloadButton orgId={org.id} view={view} />
        </Cluster>
      </Cluster>
      <ResultCount orgId={org.id} view={view} />
      <CheckoutList key={JSON.stringify(listView)} orgId={org.id} view={view} deletion={deletion} />
      {openGift && <OpenGiftDialog key={openGift.id} orgId={org.id} view={view} gift={openGift} deletion={deletion} />}
    </>
  );
}

/** Payments that could not be applied. */
function Attention({ org }: { org: Org }) {
  const api = useApi();
  const canResolve = useCan(org.id)('attention.resolve');
  const { data: items } = useSuspenseQuery(attentionQuery(api, org.id));
  const resolve = ({ id }: AttentionItem, note: string) =>
    api.call('resolveAttention', { params: { orgid: org.id, itemid: id }, body: { note } });
  return (
    <AttentionSection
      items={items}
      zone={org.timeZone}
      checkoutPath={(id) => checkoutsUrl(org.id, {}, { openGift: { kind: 'card', id } })}
      onResolve={canResolve ? resolve : undefined}
    />
  );
}

/** Switches the search between paid or pending gifts and all gifts. */
function AttemptsFilter({ orgId, view }: { orgId: string; view: CheckoutView }) {
  const hidesAttempts = view.status === 'received';
  return (
    <ButtonLink kind="quiet" to={checkoutsUrl(orgId, { ...view, status: hidesAttempts ? undefined : 'received' })}>
      {hidesAttempts ? 'Include unpaid attempts' : 'Show only paid or pending gifts'}
    </ButtonLink>
  );
}

/** Downloads all gifts that match the search, as a spreadsheet. */
function DownloadButton({ orgId, view }: { orgId: string; view: CheckoutView }) {
  const api = useApi();
  const canDownload = useCan(orgId)('ledger.download');
  if (!canDownload) return null;
  const { sort, order } = view;
  const download = async () => {
    const query = { ...toSearchBody(view), sort, order };
    const file = await api.download('downloadCheckouts', { params: { orgid: orgId }, query });
    saveFile(formatExportName('checkouts', view), file, 'text/csv');
  };
  return (
    <ActionButton kind="quiet" action={download}>
      Download CSV
    </ActionButton>
  );
}

/** Announces the number of gifts found. Stays mounted, because screen readers announce only changes. */
function ResultCount({ orgId, view }: { orgId: string; view: CheckoutView }) {
  const { data: page } = useQuery(checkoutsQuery(useApi(), orgId, view));
  const count = page?.checkouts.length;
  return (
    <output>
      {count !== undefined && <VisuallyHidden>{count === 1 ? '1 gift' : `${count} gifts`} on this page</VisuallyHidden>}
    </output>
  );
}

type CheckoutListProps = { orgId: string; view: CheckoutView; deletion: Deletion };

/** One page of the search results. */
function CheckoutList({ orgId, view, deletion }: CheckoutListProps) {
  const api = useApi();
  const { data: page } = useSuspenseQuery(checkoutsQuery(api, orgId, view));
  const { data: totals } = useQuery(sumsQuery(api, orgId, view));
  const { hasPrevious, hasNext, position } = page;
  const gifts = page.checkouts.filter(
    (gift) => !deletion.deletingIds.includes(isRenewal(gift) ? gift.checkoutid : gift.id),
  );
  const [firstGift, lastGift] = [gifts[0], gifts.at(-1)];
  return (
    <>
      <List items={gifts} itemNoun="checkouts" empty="No checkouts found.">
        {(rows) => (
          <CheckoutTable
            gifts={rows}
            sorting={view}
            getGiftUrl={(gift) => viewUrl(orgId, view, gift)}
            getSortingUrl={(sorting) => checkoutsUrl(orgId, { ...view, ...sorting })}
          />
        )}
      </List>
      <PageLinks
        previous={hasPrevious && firstGift ? checkoutsUrl(orgId, view, { before: firstGift.id }) : undefined}
        next={hasNext && lastGift ? checkoutsUrl(orgId, view, { after: lastGift.id }) : undefined}
        range={formatPosition(position, gifts.length, totals?.checkouts)}
      />
    </>
  );
}

/** @param total null if there are too many, undefined while it loads */
function formatPosition(
  position: number | undefined,
  rows: number,
  total: number | null | undefined,
): string | undefined {
  if (position === undefined || rows === 0) return undefined;
  const range = `${formatWhole(position + 1)}–${formatWhole(position + rows)}`;
  if (total === undefined) return range;
  return `${range} of ${total === null ? `more than ${formatWhole(MAX_COUNTED_GIFTS)}` : formatWhole(total)}`;
}

type OpenGiftDialogProps = CheckoutListProps & { gift: OpenGift };

/** Dialog for the gift in the URL. Closing it returns to the list's URL. */
function OpenGiftDialog({ orgId, view, gift, deletion }: OpenGiftDialogProps) {
  const navigator = useNavigator();
  const canDelete = useCan(orgId)('checkouts.delete');
  const { data: page } = useSuspenseQuery(checkoutsQuery(useApi(), orgId, view));
  const row = page.checkouts.find(({ id }) => id === gift.id);
  const close = () => navigator.goBackTo(viewUrl(orgId, view));
  if (gift.kind === 'check') {
    return (
      <CheckRecordDialog
        orgId={orgId}
        pledgeId={gift.id}
        row={row && isCheck(row) ? row : undefined}
        onClose={() => void close()}
      />
    );
  }
  const remove = async (checkout: ListedCheckout) => {
    // Close the record first: it may have an unsaved note, and refetching it after the deletion would fail.
    await close();
    deletion.remove(checkout);
  };
  return (
    <CheckoutDialog
      orgId={orgId}
      checkoutId={gift.id}
      paymentEntryId={gift.paymentEntryId}
      row={row && !isCheck(row) && !isRenewal(row) ? row : undefined}
      onDelete={canDelete ? (checkout) => void remove(checkout) : undefined}
      onClose={() => void close()}
    />
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
  const queryKey = createSearchKey(orgId);
  const { mutate } = useMutation({
    mutationKey: DELETE_KEY,
    mutationFn: ({ id }: ListedCheckout) => api.call('deleteCheckout', { params: { orgid: orgId, checkoutid: id } }),
    onMutate: ({ id }) => setFailures((previous) => previous.filter(({ checkout }) => checkout.id !== id)),
    onError: (error, checkout) => {
      setFailures((previous) => [...previous, { checkout, error }]);
      void client.invalidateQueries({ queryKey });
    },
    onSuccess: async () => {
      toast('Checkout deleted');
      // Keeps the row hidden until the refetch, which has already started, returns the list without it.
      await client.refetchQueries({ queryKey, type: 'active' }, { cancelRefetch: false });
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
