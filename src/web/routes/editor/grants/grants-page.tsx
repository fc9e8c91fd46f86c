import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Grant } from '#contract/schemas/grants.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { dayText } from '#domain/days.ts';
import { hasSavings } from '#domain/grant.ts';
import { formatDollars, formatPounds, formatWhole } from '#domain/money.ts';
import { useAllowedQuery } from '#web/api/queries.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { SectionStatus } from '#web/ui/section-status.tsx';
import { Table } from '#web/ui/table.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorArea } from '../editor-frame.tsx';
import { GroupLinks } from '../group-links.tsx';
import cellStyles from '../two-line-cell.module.css';
import { AvailableFunds } from './available-funds.tsx';
import { ApplicationDialog, PublicFieldsDialog, SavingsDialog } from './grant-field-dialogs.tsx';
import type { GrantChange } from './grant-form-dialog.tsx';
import { findNextStep, getStageDay, STAGE_LABELS } from './grant-labels.ts';
import { formatMeasures, type GrantAction, GrantRecord } from './grant-record.tsx';
import {
  DeleteGrantDialog,
  MoneyDialog,
  ReverseGrantDialog,
  WorkDialog,
  WorkStepDialog,
} from './grant-step-dialogs.tsx';
import { type GrantsData, type GrantsView, grantSumsQuery, grantsQuery, grantsUrl, permittedQueries } from './route.ts';

/** Grants to one home or to all homes, by stage, and the available funds. */
export function GrantsPage({ org, view }: OrgPageProps & GrantsData) {
  return <GrantsForHome key={view.homeId ?? ''} org={org} view={view} />;
}

type GrantDialog =
  | { readonly kind: 'application'; readonly grant: Grant | undefined }
  | { readonly kind: Exclude<GrantAction, 'application'>; readonly grant: Grant };

function GrantsForHome({ org, view }: GrantsData & { org: Org }) {
  const api = useApi();
  const { homeId, stage, openGrantId } = view;
  const navigator = useNavigator();
  const list = useList(grantsQuery(api, org.id, view));
  const [dialog, setDialog] = useState<GrantDialog>();
  const can = useCan(org.id);
  const isOneHome = homeId !== undefined;
  const queries = permittedQueries(api, org.id, homeId, can);
  const funds = useAllowedQuery(queries.funds);
  const home = useAllowedQuery(queries.home);
  const homeName = home?.name ?? list.items[0]?.awardee ?? 'one home';
  const showDialog = (kind: GrantAction, grant: Grant) => setDialog({ kind, grant });
  const closeRecord = () => navigator.goBackTo(grantsUrl(org.id, { homeId, stage }));
  return (
    <EditorArea org={org}>
      <ListPage
        {...list}
        title={isOneHome ? `Grants for ${homeName}` : 'Grants'}
        subtitle={
          isOneHome ? (
            <Link to={pagePath('grants-page', { orgid: org.id })}>All grants</Link>
          ) : (
            'Track each grant from application to inspection.'
          )
        }
        actions={
          can('grants.edit') && (
            <Button onClick={() => setDialog({ kind: 'application', grant: undefined })}>
              <Icon name="plus" /> Add a grant
            </Button>
          )
        }
        above={
          <>
            {funds && <AvailableFunds funds={funds} />}
            <Stages orgId={org.id} view={view} />
          </>
        }
        itemNoun="grants"
        empty={stage === undefined ? 'No grants yet.' : 'No grants in this stage.'}
      >
        {(grants) => <GrantTable orgId={org.id} grants={grants} view={view} onAction={showDialog} />}
      </ListPage>
      {/* Rendered before the record, so that the top dialog closes first. */}
      {dialog && (
        <GrantDialogs
          orgId={org.id}
          dialog={dialog}
          homeId={homeId}
          available={funds?.available}
          onClose={() => setDialog(undefined)}
          onRemove={closeRecord}
        />
      )}
      {/* After the deletion, an open dialog would refetch the record and not find it. */}
      {openGrantId !== undefined && dialog?.kind !== 'delete' && (
        <GrantRecord
          key={openGrantId}
          orgId={org.id}
          grantId={openGrantId}
          row={list.items.find(({ id }) => id === openGrantId)}
          onAction={showDialog}
          onClose={() => void closeRecord()}
        />
      )}
    </EditorArea>
  );
}

/** Stage filters, each with the number of grants and their sum. */
function Stages({ orgId, view: { homeId, stage: current } }: { orgId: string; view: GrantsView }) {
  const { data: sums, isError, refetch } = useQuery({ ...grantSumsQuery(useApi(), orgId, homeId), staleTime: 0 });
  if (!sums) return <SectionStatus hasFailed={isError} onRetry={() => void refetch()} />;
  return (
    <GroupLinks
      label="Grants by stage"
      groups={sums.map(({ stage, grants, amount }) => ({
        label: STAGE_LABELS[stage].label,
        value: formatWhole(grants),
        hint: formatDollars(amount),
        to: grantsUrl(orgId, { homeId, stage: stage === current ? undefined : stage }),
        isCurrent: stage === current,
      }))}
    />
  );
}

type GrantTableProps = {
  orgId: string;
  grants: readonly Grant[];
  view: GrantsView;
  onAction: (kind: GrantAction, grant: Grant) => void;
};

function GrantTable({ orgId, grants, view, onAction }: GrantTableProps) {
  const can = useCan(orgId);
  return (
    <Table
      caption="Grants, newest first"
      rows={grants}
      columns={[
        {
          heading: 'Awardee',
          kind: 'title',
          cell: (grant) => (
            <>
              <Link to={grantsUrl(orgId, { ...view, openGrantId: grant.id })} keepScroll className={cellStyles.primary}>
                {grant.awardee}
              </Link>
              <span className={cellStyles.secondary}>{formatMeasures(grant)}</span>
            </>
          ),
        },
        {
          heading: 'Stage',
          kind: 'status',
          cell: (grant) => {
            const { label, tone } = STAGE_LABELS[grant.stage];
            const day = getStageDay(grant);
            return (
              <>
                <StatusMark tone={tone}>{label}</StatusMark>
                <span className={cellStyles.secondary}>
                  <time dateTime={day}>{dayText(day)}</time>
                </span>
              </>
            );
          },
        },
        { heading: 'Savings', kind: 'detail', cell: renderSavings },
        { heading: 'Amount', kind: 'amount', cell: ({ paid, amount }) => formatDollars(paid ?? amount) },
        {
          heading: 'Next step',
          kind: 'action',
          cell: (grant) => {
            const step = findNextStep(grant);
            if (!step) return null;
            if (!can(step.action))
              return step.action === 'grants.pay' ? 'Waiting for a treasurer' : 'Waiting for a story editor';
            return (
              <Button kind="outline" onClick={() => onAction(step.kind, grant)}>
                {step.label}
                <VisuallyHidden>: {grant.awardee}</VisuallyHidden>
              </Button>
            );
          },
        },
      ]}
    />
  );
}

function renderSavings(grant: Grant) {
  if (!hasSavings(grant)) return 'Not entered yet';
  const { countedPounds, years } = grant;
  return (
    <>
      {formatPounds(countedPounds, 0)} lb
      <span className={cellStyles.secondary}>over {years === 1 ? '1 year' : `${years} years`}</span>
    </>
  );
}

/** @param onDone closes the dialog that made the change */
function useGrantChanges(orgId: string, onDone: () => void) {
  const api = useApi();
  const toast = useToast();
  const finish = (text: string) => {
    onDone();
    toast(text);
  };
  const toParams = ({ id }: Pick<Grant, 'id'>) => ({ orgid: orgId, grantid: id });
  return {
    save: async ({ id, isNew, toBody }: GrantChange) => {
      const params = toParams({ id });
      const body = toBody(isNew ? undefined : await api.call('readGrant', { params }));
      if (!body) return false;
      await api.call('saveGrant', { params, body });
      finish('Grant saved');
      return true;
    },
    promise: async (grant: Grant, on: string) => {
      await api.call('promiseGrant', { params: toParams(grant), body: { on } });
      finish(`${formatDollars(grant.amount)} is set aside for ${grant.awardee}`);
    },
    pay: async (grant: Grant, on: string, amount: number) => {
      await api.call('payGrant', { params: toParams(grant), body: { on, amount } });
      finish(`Payment of ${formatDollars(amount)} to ${grant.awardee} recorded`);
    },
    setWorkDates: async (grant: Grant, dates: BodyInput<'recordGrantWork'>) => {
      await api.call('recordGrantWork', { params: toParams(grant), body: dates });
      finish(`Work dates for ${grant.awardee} saved`);
    },
    reverse: async (grant: Grant, reason: string) => {
      const body = { entryid: grant.entryid ?? '', reason };
      await api.call('reverseGrant', { params: toParams(grant), body });
      finish(grant.paidOn === null ? `Promise to ${grant.awardee} canceled` : `Payment to ${grant.awardee} undone`);
    },
    /** @param closeRecord runs first, since closing the dialog would show the deleted record again */
    remove: async (grant: Grant, closeRecord: () => Promise<unknown>) => {
      await api.call('deleteGrant', { params: toParams(grant) });
      await closeRecord();
      finish('Grant deleted');
    },
  };
}

type GrantDialogsProps = {
  orgId: string;
  dialog: GrantDialog;
  /** The household of a new grant, if known. */
  homeId: string | undefined;
  /** Dollars available for grants; undefined for roles that can't see them. */
  available: number | undefined;
  onClose: () => void;
  /** Closes the record after its grant was deleted. */
  onRemove: () => Promise<unknown>;
};

function GrantDialogs({ orgId, dialog, homeId, available, onClose, onRemove }: GrantDialogsProps) {
  const changes = useGrantChanges(orgId, onClose);
  if (dialog.kind === 'application') {
    return (
      <ApplicationDialog orgId={orgId} grant={dialog.grant} home={homeId} onSave={changes.save} onClose={onClose} />
    );
  }
  const { kind, grant } = dialog;
  switch (kind) {
    case 'savings':
      return <SavingsDialog orgId={orgId} grant={grant} onSave={changes.save} onClose={onClose} />;
    case 'publicFields':
      return <PublicFieldsDialog orgId={orgId} grant={grant} onSave={changes.save} onClose={onClose} />;
    case 'done':
    case 'inspected':
      return (
        <WorkStepDialog
          grant={grant}
          step={kind}
          onSend={(dates) => changes.setWorkDates(grant, dates)}
          onClose={onClose}
        />
      );
    case 'work':
      return <WorkDialog grant={grant} onSend={(dates) => changes.setWorkDates(grant, dates)} onClose={onClose} />;
    case 'reverse':
      return (
        <ReverseGrantDialog grant={grant} onReverse={(reason) => changes.reverse(grant, reason)} onClose={onClose} />
      );
    case 'delete':
      return <DeleteGrantDialog grant={grant} onDelete={() => changes.remove(grant, onRemove)} onClose={onClose} />;
    case 'promise':
    case 'pay':
      return (
        <MoneyDialog
          grant={grant}
          step={kind}
          available={available}
          onSend={(on, amount) => (kind === 'pay' ? changes.pay(grant, on, amount) : changes.promise(grant, on))}
          onClose={onClose}
        />
      );
  }
}
