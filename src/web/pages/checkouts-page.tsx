import { CheckList } from '../features/treasury/check-list.tsx';
import { CheckoutDialog } from '../features/treasury/checkout-dialog.tsx';
import { CheckoutSearch } from '../features/treasury/checkout-search.tsx';
import { CheckoutTable } from '../features/treasury/checkout-table.tsx';
import { checkoutsAddress, checksAddress } from '../features/treasury/checkout-view.ts';
import { ChecksFilter } from '../features/treasury/checks-filter.tsx';
import { ExportDialog } from '../features/treasury/export-dialog.tsx';
import { PageTurner } from '../features/treasury/page-turner.tsx';
import { ReceiveDialog } from '../features/treasury/receive-dialog.tsx';
import { RecordCheckDialog } from '../features/treasury/record-check-dialog.tsx';
import styles from '../features/treasury/treasury.module.css';
import type { OrgFrame } from '../page-data.ts';
import type { CheckoutPage, CheckoutsData, ChecksPart } from '../treasury-data.ts';
import { Button } from '../ui/button.tsx';
import { EmptyNote } from '../ui/empty-note.tsx';
import { Icon } from '../ui/icon.tsx';
import { ListFoot } from '../ui/list-foot.tsx';
import { Problem } from '../ui/problem.tsx';
import { SegmentLinks } from '../ui/segment-links.tsx';
import { VisuallyHidden } from '../ui/visually-hidden.tsx';
import { EditorFrame } from './editor-frame.tsx';
import { useCheckoutsPart } from './use-checkouts-part.ts';
import { useChecksPart } from './use-checks-part.ts';
import { useExport } from './use-export.ts';
import { useFocusKept } from './use-focus-kept.ts';

/** Checkouts and checks of an organisation, for its editors (§2). */
export function CheckoutsPage({ org, view, page, checks }: OrgFrame & CheckoutsData) {
  const { isAsking, ask, close, exportLedger } = useExport(org.id);
  const segments = [
    { label: 'By card', to: checkoutsAddress(org.id, view), isHere: view.part === 'checkouts' },
    { label: 'By check', to: checksAddress(org.id), isHere: view.part === 'checks' },
  ];
  return (
    <EditorFrame
      org={org}
      title="Checkouts"
      actions={
        <Button kind="outline" onClick={ask}>
          Export the ledger
        </Button>
      }
    >
      <SegmentLinks label="How it was given" segments={segments} />
      {page && <Checkouts key={JSON.stringify(view)} orgid={org.id} view={view} page={page} />}
      {checks && <Checks key={view.checks ?? 'all'} orgid={org.id} view={view} checks={checks} />}
      {isAsking && <ExportDialog onExport={exportLedger} onClose={close} />}
    </EditorFrame>
  );
}

type CheckoutsProps = { orgid: string; view: CheckoutsData['view']; page: CheckoutPage };

function Checkouts({ orgid, view, page }: CheckoutsProps) {
  const part = useCheckoutsPart(orgid, view, page);
  const { shown, opened, open, close, problem } = part;
  useFocusKept(shown.length);
  return (
    <>
      <CheckoutSearch filters={view} onSearch={part.search} />
      <output className={styles.found}>
        <VisuallyHidden>
          {shown.length === 1 ? 'One checkout' : `${shown.length} checkouts`} on this page
        </VisuallyHidden>
      </output>
      <Problem>{problem}</Problem>
      <CheckoutTable checkouts={shown} onOpen={open} />
      <PageTurner previous={part.previous} next={part.next} />
      {opened && (
        <CheckoutDialog
          orgid={orgid}
          checkout={opened}
          load={() => part.load(opened)}
          sendReceipt={part.sendReceipt}
          onDelete={() => void part.remove(opened)}
          onClose={close}
        />
      )}
    </>
  );
}

type ChecksProps = { orgid: string; view: CheckoutsData['view']; checks: ChecksPart };

function Checks({ orgid, view, checks: first }: ChecksProps) {
  const part = useChecksPart(orgid, view.checks, first);
  const { checks, asking, ask, close } = part;
  useFocusKept(checks);
  return (
    <>
      <div className={styles.parts}>
        <ChecksFilter status={view.checks} onChoose={part.choose} />
        <Button onClick={() => ask({ kind: 'record' })}>
          <Icon name="plus" /> Record a check
        </Button>
      </div>
      {checks.length > 0 ? (
        <CheckList
          checks={checks}
          onReceive={(pledge) => ask({ kind: 'receive', pledge })}
          onWithdraw={part.withdraw}
          sendReceipt={part.sendReceipt}
        />
      ) : (
        <EmptyNote>{view.checks === 'pledged' ? 'No check waits to be received.' : 'No checks found.'}</EmptyNote>
      )}
      <ListFoot
        hasMore={part.nextCursor !== undefined}
        busy={part.busy}
        problem={part.problem}
        what="checks"
        onMore={() => void part.loadMore()}
      />
      {asking?.kind === 'record' && <RecordCheckDialog onRecord={part.record} onClose={close} />}
      {asking?.kind === 'receive' && (
        <ReceiveDialog
          pledge={asking.pledge}
          onReceive={(check) => part.receive(asking.pledge, check)}
          onClose={close}
        />
      )}
    </>
  );
}
