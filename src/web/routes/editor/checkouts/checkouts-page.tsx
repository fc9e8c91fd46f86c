import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { EmptyNote, ListFoot } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { SegmentLinks } from '#web/ui/segment-links.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { CheckList } from '../checks/check-list.tsx';
import { ChecksFilter } from '../checks/checks-filter.tsx';
import type { ChecksPart } from '../checks/load-checks.ts';
import { ReceiveDialog } from '../checks/receive-dialog.tsx';
import { RecordCheckDialog } from '../checks/record-check-dialog.tsx';
import { useChecksPart } from '../checks/use-checks-part.ts';
import { EditorFrame } from '../editor-frame.tsx';
import styles from '../treasury.module.css';
import { useKeptFocus } from '../use-kept-focus.ts';
import { CheckoutDialog } from './checkout-dialog.tsx';
import { CheckoutSearch } from './checkout-search.tsx';
import { CheckoutTable } from './checkout-table.tsx';
import { checkoutsAddress, checksAddress } from './checkout-view.ts';
import { ExportDialog } from './export-dialog.tsx';
import { PageTurner } from './page-turner.tsx';
import type { CheckoutPage, CheckoutsData } from './route.ts';
import { useCheckoutsPart } from './use-checkouts-part.ts';
import { useExport } from './use-export.ts';

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
  useKeptFocus(shown.length);
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
  useKeptFocus(checks);
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
