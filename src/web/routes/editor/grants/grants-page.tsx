import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Grant } from '#contract/schemas/grants.ts';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Profile } from '#contract/schemas/stories.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import { useAllowedQuery } from '#web/api/queries.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster, ItemList, ItemRow } from '#web/ui/layout.tsx';
import { ListPage } from '#web/ui/list-page.tsx';
import { StatusMark } from '#web/ui/list-parts.tsx';
import { formatList } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorArea } from '../editor-frame.tsx';
import { AvailableFunds } from './available-funds.tsx';
import { GrantDialog } from './grant-dialog.tsx';
import { MEASURE_LABELS, STAGE_LABELS } from './grant-form.ts';
import { DeleteDialog, MoneyDialog, TakeBackDialog, WorkDialog } from './grant-step-dialogs.tsx';
import styles from './grants.module.css';
import { type GrantsData, grantsQueries, grantsQuery, installersQuery } from './route.ts';

/** Grants of one home or all homes, and the available funds. */
export function GrantsPage({ org, homeId }: OrgPageProps & GrantsData) {
  return <GrantsForHome key={homeId ?? ''} org={org} homeId={homeId} />;
}

function GrantsForHome({ org, homeId }: GrantsData & { org: Org }) {
  const api = useApi();
  const list = useList(grantsQuery(api, org.id, homeId));
  // Loaded here: a dialog that suspends would replace the whole page.
  const { data: installers } = useSuspenseQuery(installersQuery(api, org.id));
  const [dialog, setDialog] = useState<GrantsDialog>();
  const close = () => setDialog(undefined);
  const can = useCan(org.id);
  const canEdit = can('grants.edit');
  const isOneHome = homeId !== undefined;
  const queries = grantsQueries(api, org.id, homeId, can);
  const money = useAllowedQuery(queries.funds);
  const home = useAllowedQuery(queries.home);
  const homeName = home?.name ?? list.items[0]?.awardee ?? '';
  return (
    <EditorArea org={org}>
      <ListPage
        {...list}
        title={isOneHome ? `Grants for ${homeName}` : 'Grants'}
        lead="Track each grant from application to inspection."
        above={
          <>
            {money && <AvailableFunds money={money} />}
            <Cluster className={styles.tools}>
              {isOneHome ? (
                <Link to={pagePath('grants-page', { orgid: org.id })}>All grants</Link>
              ) : (
                <span>
                  Add a grant from the page of its{' '}
                  <Link to={pagePath('edit-awardees-page', { orgid: org.id })}>awardee</Link>.
                </span>
              )}
              {isOneHome && canEdit && (
                <Button onClick={() => setDialog({ kind: 'facts', grant: undefined })}>
                  <Icon name="plus" /> Add a grant
                </Button>
              )}
            </Cluster>
          </>
        }
        what="grants"
        empty="No grants yet."
      >
        {(grants) => (
          <ItemList>
            {grants.map((grant) => (
              <GrantRow key={grant.id} grant={grant} canEdit={canEdit} canPay={can('grants.pay')} open={setDialog} />
            ))}
          </ItemList>
        )}
      </ListPage>
      {dialog && (
        <GrantDialogs
          orgId={org.id}
          dialog={dialog}
          homeId={homeId}
          installers={installers}
          available={money?.available}
          onClose={close}
        />
      )}
    </EditorArea>
  );
}

type GrantsDialog =
  | { readonly kind: 'facts'; readonly grant: Grant | undefined }
  | { readonly kind: 'promise' | 'pay' | 'work' | 'take-back' | 'delete'; readonly grant: Grant };

/** @param onDone closes the dialog of the change */
function useGrantChanges(orgId: string, onDone: () => void) {
  const api = useApi();
  const toast = useToast();
  const finish = (text: string) => {
    onDone();
    toast(text);
  };
  const paramsOf = ({ id }: Pick<Grant, 'id'>) => ({ orgid: orgId, grantid: id });
  return {
    save: async (id: string, body: BodyInput<'saveGrant'>) => {
      await api.call('saveGrant', { params: paramsOf({ id }), body });
      finish('Grant saved');
    },
    promise: async (grant: Grant, on: string) => {
      await api.call('promiseGrant', { params: paramsOf(grant), body: { on } });
      finish(`${formatDollars(grant.amount)} is set aside for ${grant.awardee}`);
    },
    pay: async (grant: Grant, on: string, amount: number) => {
      await api.call('payGrant', { params: paramsOf(grant), body: { on, amount } });
      finish(`Payment of ${formatDollars(amount)} to ${grant.awardee} recorded`);
    },
    setWorkDates: async (grant: Grant, doneOn: string | null, inspectedOn: string | null) => {
      await api.call('recordGrantWork', { params: paramsOf(grant), body: { doneOn, inspectedOn } });
      finish(`Work dates for ${grant.awardee} saved`);
    },
    takeBack: async (grant: Grant, reason: string) => {
      const body = { entryid: grant.entryid ?? '', reason };
      await api.call('reverseGrant', { params: paramsOf(grant), body });
      finish(grant.paidOn === null ? `Promise to ${grant.awardee} canceled` : `Payment to ${grant.awardee} undone`);
    },
    remove: async (grant: Grant) => {
      await api.call('deleteGrant', { params: paramsOf(grant) });
      finish('Grant deleted');
    },
  };
}

type RowProps = { grant: Grant; canEdit: boolean; canPay: boolean; open: (dialog: GrantsDialog) => void };

function GrantRow({ grant, canEdit, canPay, open }: RowProps) {
  const { awardee, stage, amount, paid, entryid: entryId } = grant;
  const { label, tone } = STAGE_LABELS[stage];
  const button = (kind: Exclude<GrantsDialog['kind'], 'facts'>, text: string, isPrimary = false) => (
    <Button kind={isPrimary ? 'dark' : 'quiet'} onClick={() => open({ kind, grant })}>
      {text}
      <VisuallyHidden>: {awardee}</VisuallyHidden>
    </Button>
  );
  return (
    <ItemRow
      title={
        <>
          {awardee} <StatusMark tone={tone}>{label}</StatusMark>
        </>
      }
      facts={<GrantFacts grant={grant} />}
      actions={
        <>
          <span className={styles.amount}>{formatDollars(paid ?? amount)}</span>
          {canPay && stage === 'applied' && button('promise', 'Promise', true)}
          {canPay && stage === 'promised' && button('pay', 'Mark paid', true)}
          {canEdit && paid !== null && stage !== 'inspected' && button('work', nextWork(grant), true)}
          <div className={styles.others}>
            {canPay && stage === 'applied' && button('pay', 'Mark paid')}
            {canEdit && entryId !== null && paid === null && button('work', nextWork(grant))}
            {canEdit && stage === 'inspected' && button('work', 'Edit dates')}
            {canPay && entryId !== null && button('take-back', paid === null ? 'Cancel promise…' : 'Undo payment…')}
            {canEdit && (
              <Button kind="quiet" onClick={() => open({ kind: 'facts', grant })}>
                Edit<VisuallyHidden>: {awardee}</VisuallyHidden>
              </Button>
            )}
            {canEdit && entryId === null && button('delete', 'Delete')}
          </div>
        </>
      }
    />
  );
}

/** The next missing step. */
function nextWork({ doneOn }: Grant): string {
  return doneOn === null ? 'Mark work done' : 'Mark inspected';
}

function GrantFacts({ grant }: { grant: Grant }) {
  const { measures, installer, yearlyPounds, years, countedPounds, methodSource, otherFunding, otherFundingSource } =
    grant;
  const days = [
    ['Applied', grant.appliedOn],
    ['Promised', grant.promisedOn],
    ['Paid', grant.paidOn],
    ['Work done', grant.doneOn],
    ['Inspected', grant.inspectedOn],
  ] as const;
  const pastDays = days.flatMap(([what, day]) => (day === null ? [] : [{ what, day }]));
  const [first = '', ...others] = measures.map((measure) => MEASURE_LABELS[measure]);
  return (
    <>
      <p>
        {formatList([first, ...others.map((other) => other.toLowerCase())])}
        {installer && `, by ${installer}`}
      </p>
      <p>
        {formatPounds(yearlyPounds, 0)} lb per year for {years} years; {formatPounds(countedPounds, 0)} lb credited (
        {methodSource})
        {otherFunding > 0 && `. Other public funding: ${formatDollars(otherFunding)}, ${otherFundingSource}`}
      </p>
      <p>
        {pastDays
          .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
          .map(({ what, day }) => `${what} ${dayText(day)}`)
          .join(' · ')}
      </p>
    </>
  );
}

type GrantDialogsProps = {
  orgId: string;
  dialog: GrantsDialog;
  /** The home of a new grant. */
  homeId: string | undefined;
  installers: readonly Pick<Profile, 'name'>[];
  /** Dollars available for grants; undefined for roles that can't see them. */
  available: number | undefined;
  onClose: () => void;
};

function GrantDialogs({ orgId, dialog, homeId, installers, available, onClose }: GrantDialogsProps) {
  const changes = useGrantChanges(orgId, onClose);
  if (dialog.kind === 'facts') {
    return (
      <GrantDialog
        grant={dialog.grant}
        awardeeId={dialog.grant?.awardeeid ?? homeId ?? ''}
        installers={[...new Set(installers.map(({ name }) => name))]}
        onSave={changes.save}
        onClose={onClose}
      />
    );
  }
  const { kind, grant } = dialog;
  if (kind === 'work')
    return <WorkDialog grant={grant} onSend={(...days) => changes.setWorkDates(grant, ...days)} onClose={onClose} />;
  if (kind === 'take-back')
    return <TakeBackDialog grant={grant} onTakeBack={(reason) => changes.takeBack(grant, reason)} onClose={onClose} />;
  if (kind === 'delete') return <DeleteDialog grant={grant} onDelete={() => changes.remove(grant)} onClose={onClose} />;
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
