import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { Grant } from '#contract/schemas/grants.ts';
import type { BodyInput } from '#contract/schemas.ts';
import { dayText } from '#domain/days.ts';
import { formatDollars, formatPounds } from '#domain/money.ts';
import { useList } from '#web/api/use-list.ts';
import { Link } from '#web/navigation/link.tsx';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster, ItemList, ItemRow } from '#web/ui/layout.tsx';
import { EmptyNote, ListFoot, StatusMark } from '#web/ui/list-parts.tsx';
import { formatList } from '#web/ui/text.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { EditorFrame } from '../editor-frame.tsx';
import { FreeMoney } from './free-money.tsx';
import { DeleteDialog, GrantDialog, MoneyDialog, TakeBackDialog, WorkDialog } from './grant-dialogs.tsx';
import { MEASURE_LABELS, STANDINGS } from './grant-form.ts';
import styles from './grants.module.css';
import { type GrantsData, loadGrants } from './route.ts';

/** The grants of one home or of all, and how much may be granted. */
export function GrantsPage(props: OrgFrame & GrantsData) {
  return <GrantsOf key={props.home?.id ?? ''} {...props} />;
}

function GrantsOf({ org, home, installers, ...data }: OrgFrame & GrantsData) {
  const { list, free, dialog, open, close, send } = useGrants(org.id, home?.id, data);
  const can = useCan(org.id);
  useFocusAfterRemoval(list.items);
  const canEdit = can('grants.edit');
  return (
    <EditorFrame
      org={org}
      title={home ? `Grants for ${home.name}` : 'Grants'}
      lead="Track each grant from application to inspection."
    >
      {free && <FreeMoney money={free} />}
      <Cluster className={styles.tools}>
        {home ? (
          <Link to={pagePath('grants-page', { orgid: org.id })}>All grants</Link>
        ) : (
          <span>
            Add a grant from the page of its <Link to={pagePath('edit-awardees-page', { orgid: org.id })}>awardee</Link>
            .
          </span>
        )}
        {home && canEdit && (
          <Button onClick={() => open({ kind: 'facts', grant: undefined })}>
            <Icon name="plus" /> Add a grant
          </Button>
        )}
      </Cluster>
      {list.items.length > 0 ? (
        <ItemList>
          {list.items.map((grant) => (
            <GrantRow key={grant.id} grant={grant} canEdit={canEdit} canPay={can('grants.pay')} open={open} />
          ))}
        </ItemList>
      ) : (
        <EmptyNote>No grants yet.</EmptyNote>
      )}
      <ListFoot {...list} what="grants" onMore={() => void list.loadMore()} />
      {dialog && (
        <GrantDialogs dialog={dialog} awardeeid={home?.id} installers={installers} send={send} onClose={close} />
      )}
    </EditorFrame>
  );
}

type Opened =
  | { readonly kind: 'facts'; readonly grant: Grant | undefined }
  | { readonly kind: 'promise' | 'pay' | 'work' | 'take-back' | 'delete'; readonly grant: Grant };

function useGrants(
  orgid: string,
  home: string | undefined,
  { grants, free: first }: Omit<GrantsData, 'home' | 'installers'>,
) {
  const api = useApi();
  const navigator = useNavigator();
  const toast = useToast();
  const [dialog, open] = useState<Opened>();
  const [free, setFree] = useState(first);
  const list = useList<Grant, string | undefined>({
    first: grants,
    query: home,
    load: (of, cursorRef) => loadGrants(api, orgid, of, cursorRef),
  });
  const close = () => open(undefined);
  const done = async (text: string) => {
    navigator.forget();
    close();
    toast(text);
    if (first) setFree(await api.call('readFreeMoney', { params: { orgid } }));
  };
  const of = ({ id }: Pick<Grant, 'id'>) => ({ orgid, grantid: id });
  const send = {
    save: async (id: string, body: BodyInput<'saveGrant'>) => {
      list.put(await api.call('saveGrant', { params: of({ id }), body }), 'add');
      await done('Grant saved');
    },
    promise: async (grant: Grant, on: string) => {
      list.put(await api.call('promiseGrant', { params: of(grant), body: { on } }), 'if-listed');
      await done(`${formatDollars(grant.amount)} is set aside for ${grant.awardee}`);
    },
    pay: async (grant: Grant, on: string, amount: number) => {
      list.put(await api.call('payGrant', { params: of(grant), body: { on, amount } }), 'if-listed');
      await done(`Payment of ${formatDollars(amount)} to ${grant.awardee} recorded`);
    },
    work: async (grant: Grant, doneOn: string | null, inspectedOn: string | null) => {
      list.put(await api.call('noteGrantWork', { params: of(grant), body: { doneOn, inspectedOn } }), 'if-listed');
      await done(`Work dates for ${grant.awardee} saved`);
    },
    takeBack: async (grant: Grant, reason: string) => {
      const body = { entryid: grant.entryid ?? '', reason };
      list.put(await api.call('reverseGrant', { params: of(grant), body }), 'if-listed');
      await done(grant.paidOn === null ? `Promise to ${grant.awardee} canceled` : `Payment to ${grant.awardee} undone`);
    },
    remove: async (grant: Grant) => {
      await api.call('deleteGrant', { params: of(grant) });
      list.put(grant, 'remove');
      await done('Grant deleted');
    },
  };
  return { list, free, dialog, open, close, send };
}

type RowProps = { grant: Grant; canEdit: boolean; canPay: boolean; open: (dialog: Opened) => void };

function GrantRow({ grant, canEdit, canPay, open }: RowProps) {
  const { awardee, standing, amount, paid, entryid } = grant;
  const { label, tone } = STANDINGS[standing];
  const button = (kind: Exclude<Opened['kind'], 'facts'>, text: string, isMain = false) => (
    <Button kind={isMain ? 'dark' : 'quiet'} onClick={() => open({ kind, grant })}>
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
      facts={<Facts grant={grant} />}
      actions={
        <>
          <span className={styles.amount}>{formatDollars(paid ?? amount)}</span>
          {canPay && standing === 'applied' && button('promise', 'Promise', true)}
          {canPay && standing === 'promised' && button('pay', 'Mark paid', true)}
          {canEdit && paid !== null && standing !== 'inspected' && button('work', nextWork(grant), true)}
          <div className={styles.others}>
            {canPay && standing === 'applied' && button('pay', 'Mark paid')}
            {canEdit && entryid !== null && paid === null && button('work', nextWork(grant))}
            {canEdit && standing === 'inspected' && button('work', 'Edit dates')}
            {canPay && entryid !== null && button('take-back', paid === null ? 'Cancel promise…' : 'Undo payment…')}
            {canEdit && (
              <Button kind="quiet" onClick={() => open({ kind: 'facts', grant })}>
                Edit<VisuallyHidden>: {awardee}</VisuallyHidden>
              </Button>
            )}
            {canEdit && entryid === null && button('delete', 'Delete')}
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

function Facts({ grant }: { grant: Grant }) {
  const { measures, installer, yearlyPounds, years, countedPounds, methodSource, otherMoney, otherSource } = grant;
  const days = [
    ['Applied', grant.appliedOn],
    ['Promised', grant.promisedOn],
    ['Paid', grant.paidOn],
    ['Work done', grant.doneOn],
    ['Inspected', grant.inspectedOn],
  ] as const;
  const known = days.flatMap(([what, day]) => (day === null ? [] : [{ what, day }]));
  const [first = '', ...others] = measures.map((measure) => MEASURE_LABELS[measure]);
  return (
    <>
      <p>
        {formatList([first, ...others.map((other) => other.toLowerCase())])}
        {installer && `, by ${installer}`}
      </p>
      <p>
        {formatPounds(yearlyPounds, 0)} lb per year for {years} years; {formatPounds(countedPounds, 0)} lb credited (
        {methodSource}){otherMoney > 0 && `. Other public funding: ${formatDollars(otherMoney)}, ${otherSource}`}
      </p>
      <p>
        {known
          .toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
          .map(({ what, day }) => `${what} ${dayText(day)}`)
          .join(' · ')}
      </p>
    </>
  );
}

type DialogsProps = {
  dialog: Opened;
  awardeeid: string | undefined;
  installers: GrantsData['installers'];
  send: ReturnType<typeof useGrants>['send'];
  onClose: () => void;
};

function GrantDialogs({ dialog, awardeeid, installers, send, onClose }: DialogsProps) {
  if (dialog.kind === 'facts') {
    const home = dialog.grant?.awardeeid ?? awardeeid ?? '';
    return (
      <GrantDialog grant={dialog.grant} awardeeid={home} installers={installers} onSave={send.save} onClose={onClose} />
    );
  }
  const { kind, grant } = dialog;
  if (kind === 'work')
    return <WorkDialog grant={grant} onSend={(...days) => send.work(grant, ...days)} onClose={onClose} />;
  if (kind === 'take-back')
    return <TakeBackDialog grant={grant} onTakeBack={(reason) => send.takeBack(grant, reason)} onClose={onClose} />;
  if (kind === 'delete') return <DeleteDialog grant={grant} onDelete={() => send.remove(grant)} onClose={onClose} />;
  return (
    <MoneyDialog
      grant={grant}
      step={kind}
      onSend={(on, amount) => (kind === 'pay' ? send.pay(grant, on, amount) : send.promise(grant, on))}
      onClose={onClose}
    />
  );
}
