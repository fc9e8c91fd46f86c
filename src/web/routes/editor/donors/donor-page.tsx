import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import type { DonorGift, DonorName, DonorRecord } from '#contract/schemas/donors.ts';
import { ENTRY_TITLES } from '#domain/books.ts';
import { dayText } from '#domain/days.ts';
import { formatCents, formatDollars, formatWhole } from '#domain/money.ts';
import { formatGiftTerms, recurringGiftLabel } from '#domain/recurring-gift.ts';
import { useList } from '#web/api/use-list.ts';
import { saveFile } from '#web/browser/save-file.ts';
import { ActionButton } from '#web/forms/action-button.tsx';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { useApi } from '#web/session/app-context.ts';
import { ActivityRows } from '#web/site/activity-list.tsx';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, Stack } from '#web/ui/layout.tsx';
import { List } from '#web/ui/list-page.tsx';
import { Detail, DetailList, StatusMark } from '#web/ui/list-parts.tsx';
import { Table } from '#web/ui/table.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { checkoutsUrl } from '../checkout-view.ts';
import { EditorPage } from '../editor-frame.tsx';
import { TeamNotes } from '../team-notes.tsx';
import cellStyles from '../two-line-cell.module.css';
import { useDates } from '../use-dates.ts';
import { EditContactDialog, MergeDialog, SeparateDialog } from './donor-dialogs.tsx';
import { describeRecurringStatus, GIFT_TONES, getDonorName } from './donor-labels.ts';
import styles from './donors.module.css';
import { type DonorData, donorGiftsQuery, donorQuery, homesQuery } from './route.ts';

type DonorDialog = { readonly kind: 'correct' | 'merge' } | { readonly kind: 'separate'; readonly member: DonorName };

/** A donor's gifts, contact, statements, and notes. */
export function DonorPage({ org, donorId }: OrgPageProps & DonorData) {
  const { data: donor } = useSuspenseQuery(donorQuery(useApi(), org.id, donorId));
  const canManage = useCan(org.id)('donors.manage');
  const [dialog, setDialog] = useState<DonorDialog>();
  const close = () => setDialog(undefined);
  return (
    <EditorPage
      org={org}
      title={getDonorName(donor)}
      subtitle={<Link to={pagePath('donors-page', { orgid: org.id })}>All donors</Link>}
      actions={
        canManage && (
          <>
            <Button kind="outline" onClick={() => setDialog({ kind: 'correct' })}>
              Edit contact
            </Button>
            <Button kind="outline" onClick={() => setDialog({ kind: 'merge' })}>
              Merge donors
            </Button>
          </>
        )
      }
    >
      <Figures orgId={org.id} donor={donor} />
      <div className={styles.columns}>
        <Stack gap={5}>
          <Contact donor={donor} />
          <Statements orgId={org.id} donor={donor} />
        </Stack>
        <DonorNotes orgId={org.id} donor={donor} />
      </div>
      <RecurringGifts donor={donor} />
      <Gifts orgId={org.id} donorId={donor.id} />
      <MergedDonors
        donor={donor}
        onSeparate={canManage ? (member) => setDialog({ kind: 'separate', member }) : undefined}
      />
      <Corrections donor={donor} />
      {dialog?.kind === 'correct' && <EditContactDialog orgId={org.id} donor={donor} onClose={close} />}
      {dialog?.kind === 'merge' && <MergeDialog orgId={org.id} donor={donor} onClose={close} />}
      {dialog?.kind === 'separate' && <SeparateDialog orgId={org.id} member={dialog.member} onClose={close} />}
    </EditorPage>
  );
}

/** Key numbers. The number of homes is loaded after the page, since it may take a second. */
function Figures({ orgId, donor }: { orgId: string; donor: DonorRecord }) {
  const { id, lifetime, thisYear, gifts, firstGiftOn, lastGiftOn, years } = donor;
  const { data: [homeCount] = [], isError } = useQuery(homesQuery(useApi(), orgId, [id]));
  const placeholder = isError ? '–' : '…';
  const pendingCents = years.reduce((cents, { pendingReturn }) => cents + Math.round(pendingReturn * 100), 0);
  const figures = [
    ['Lifetime giving', formatDollars(lifetime), pendingCents],
    ['This year', formatDollars(thisYear)],
    ['Gifts', formatWhole(gifts)],
    ['First gift', dayText(firstGiftOn)],
    ['Last gift', dayText(lastGiftOn)],
    ['Homes helped', homeCount ? formatWhole(homeCount.homes) : placeholder],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([name, text, pending = 0]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {text}
            {pending > 0 && <small>{formatCents(pending)} in dispute or being refunded</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Shows a merged donor's email or postal address if this donor has none. */
function Contact({ donor }: { donor: DonorRecord }) {
  const { name, giftEmail, hasAccount, mergedDonors } = donor;
  const [email] = [donor, ...mergedDonors].flatMap((member) => member.email ?? []);
  const [postalAddress] = [donor, ...mergedDonors].flatMap((member) => member.postalAddress ?? []);
  return (
    <Card aria-labelledby="contact">
      <h2 id="contact">Contact</h2>
      <DetailList>
        <Detail name="Name">{name ?? 'Unknown'}</Detail>
        <Detail name="Email">{email ?? 'Unknown'}</Detail>
        {giftEmail !== null && giftEmail !== email && (
          <Detail name="Gift email">
            {giftEmail}
            <small className={cellStyles.secondary}>Only this address gets links for managing gifts.</small>
          </Detail>
        )}
        <Detail name="Postal address">
          <span className={styles.address}>{postalAddress ?? 'Unknown'}</span>
        </Detail>
        <Detail name="Account">{hasAccount ? 'Sees these gifts in My giving' : 'None'}</Detail>
      </DetailList>
    </Card>
  );
}

function Statements({ orgId, donor: { id, years } }: { orgId: string; donor: DonorRecord }) {
  const api = useApi();
  if (years.length === 0) return null;
  const download = async (year: string) => {
    const file = await api.download('downloadDonorStatement', { params: { orgid: orgId, donorid: id, year } });
    saveFile(`giving-${year}.pdf`, file, 'application/pdf');
  };
  return (
    <Card aria-labelledby="statements">
      <h2 id="statements">Yearly statements</h2>
      <ul className={styles.rows}>
        {years.map(({ year, gifts, amount, returned }) => (
          <li key={year}>
            <span>
              {year}: {formatDollars(amount)}
              <small>
                {gifts === 1 ? '1 gift' : `${gifts} gifts`}
                {returned > 0 && `, ${formatDollars(returned)} returned or disputed`}
              </small>
            </span>
            <ActionButton kind="outline" action={() => download(year)}>
              PDF<VisuallyHidden> of {year}</VisuallyHidden>
            </ActionButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RecurringGifts({ donor: { recurring } }: { donor: DonorRecord }) {
  if (recurring.length === 0) return null;
  return (
    <section aria-labelledby="recurring" className={styles.part}>
      <h2 id="recurring">Recurring gifts</h2>
      <Card>
        <ul className={styles.rows}>
          {recurring.map((gift) => (
            <li key={`${gift.status} ${formatGiftTerms(gift)} ${gift.nextChargeOn}`}>
              <span>
                {formatGiftTerms(gift)}
                <small>{describeRecurringStatus(gift)}</small>
              </span>
              <StatusMark tone={GIFT_TONES[gift.status]}>{recurringGiftLabel(gift.status)}</StatusMark>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Gifts({ orgId, donorId }: { orgId: string; donorId: string }) {
  const list = useList(donorGiftsQuery(useApi(), orgId, donorId));
  return (
    <section aria-labelledby="gifts" className={styles.part}>
      <h2 id="gifts">Gifts</h2>
      <List {...list} itemNoun="gifts" empty="No gifts.">
        {(gifts) => (
          <Table
            caption="Gifts, newest first"
            rows={gifts}
            columns={[
              { heading: 'Gift', kind: 'title', cell: (gift) => <GiftCell orgId={orgId} gift={gift} /> },
              {
                heading: 'Receipt',
                kind: 'detail',
                cell: ({ receiptNumber }) => (receiptNumber === null ? 'None' : `No. ${receiptNumber}`),
              },
              { heading: 'Amount', kind: 'amount', cell: renderAmount },
            ]}
          />
        )}
      </List>
    </section>
  );
}

function renderAmount({ amount, returned }: DonorGift) {
  return (
    <>
      {formatDollars(amount)}
      {returned > 0 && <span className={cellStyles.secondary}>{formatDollars(returned)} returned</span>}
    </>
  );
}

/** Links to the gift, unless its checkout was deleted. */
function GiftCell({ orgId, gift }: { orgId: string; gift: DonorGift }) {
  const { kind, givenOn, checkoutid: checkoutId, pledgeid: pledgeId, checkNumber } = gift;
  const id = checkoutId ?? pledgeId;
  const day = <time dateTime={givenOn}>{dayText(givenOn)}</time>;
  const openGift = id !== null && ({ kind: checkoutId === null ? 'check' : 'card', id } as const);
  return (
    <>
      {openGift ? (
        <Link to={checkoutsUrl(orgId, {}, { openGift })} className={cellStyles.primary}>
          {day}
        </Link>
      ) : (
        <span className={cellStyles.primary}>{day}</span>
      )}
      <span className={cellStyles.secondary}>
        {checkNumber === null ? ENTRY_TITLES[kind] : `Check no. ${checkNumber}`}
      </span>
    </>
  );
}

type MergedDonorsProps = { donor: DonorRecord; onSeparate: ((member: DonorName) => void) | undefined };

function MergedDonors({ donor: { mergedDonors }, onSeparate }: MergedDonorsProps) {
  if (mergedDonors.length === 0) return null;
  return (
    <section aria-labelledby="merged" className={styles.part}>
      <h2 id="merged">Merged donors</h2>
      <Card>
        <ul className={styles.rows}>
          {mergedDonors.map((member) => (
            <li key={member.id}>
              <span>
                {getDonorName(member)}
                {member.name && member.email && <small>{member.email}</small>}
              </span>
              {onSeparate && (
                <Button kind="outline" onClick={() => onSeparate(member)}>
                  Separate<VisuallyHidden> {getDonorName(member)}</VisuallyHidden>
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
    </section>
  );
}

function Corrections({ donor: { corrections } }: { donor: DonorRecord }) {
  const { formatDateTime } = useDates();
  if (corrections.length === 0) return null;
  return (
    <section aria-labelledby="corrections" className={styles.part}>
      <h2 id="corrections">Corrections</h2>
      <ActivityRows entries={corrections} formatTime={formatDateTime} />
    </section>
  );
}

function DonorNotes({ orgId, donor: { id, notes } }: { orgId: string; donor: DonorRecord }) {
  return (
    <Card aria-labelledby="notes">
      <h2 id="notes">Team notes</h2>
      <TeamNotes orgId={orgId} subjectId={id} notes={notes} />
    </Card>
  );
}
