import { pagePath } from '#contract/pages.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import type { TimeZone } from '#domain/days.ts';
import { formatDollars } from '#domain/money.ts';
import { type Action, ROLE_TEXTS } from '#domain/permissions.ts';
import { formatMonth } from '#domain/statement.ts';
import { attentionTitle } from '#web/attention/attention-text.ts';
import { Link } from '#web/navigation/link.tsx';
import { useCan } from '#web/session/actor.ts';
import { useSession } from '#web/session/app-context.ts';
import { editorLinkGroups } from '#web/site/role-links.ts';
import { ExtendedIcon, type ExtendedIconName } from '#web/ui/extended-icon.tsx';
import { pluralize } from '#web/ui/pluralize.ts';
import { formatDate } from '#web/ui/text.ts';
import { payoutsUrl } from '../books/route.ts';
import { checkoutsUrl, receiptsUrl } from '../checkout-view.ts';
import { describeDeadline } from '../treasury-labels.ts';
import { useDates } from '../use-dates.ts';
import styles from './overview.module.css';

/** Describes the permissions of the user's role; undefined for an editor, who has all of them. */
export function useRoleDescription(orgId: string): string | undefined {
  const role = useSession().roles[orgId];
  return role === undefined || role === 'editor' ? undefined : ROLE_TEXTS[role].description;
}

/** Links to the other pages that the user can open, for roles that can't see any figures here. */
export function OwnPages({ orgId }: { orgId: string }) {
  const links = editorLinkGroups(orgId, useSession())
    .flatMap((group) => group.links)
    .filter(({ to }) => to !== pagePath('overview-page', { orgid: orgId }));
  return (
    <section aria-labelledby="own-pages" className={styles.section}>
      <h2 id="own-pages">Your pages</h2>
      <TaskList tasks={links.map(({ label, to, icon }) => ({ title: label, to, icon }))} />
    </section>
  );
}

export const NO_TASKS: Overview['pendingCounts'] = {
  attention: 0,
  contested: 0,
  disputed: 0,
  failed: 0,
  processing: 0,
  pledges: 0,
  pledgedDollars: 0,
  suspiciousPledges: 0,
  stories: 0,
  receipts: 0,
  monthToClose: null,
};

/** Permissions of roles that have tasks. */
const TASK_PERMISSIONS: readonly Action[] = ['attention.resolve', 'stories.edit'];

type TaskSectionProps = {
  orgId: string;
  pendingCounts: Overview['pendingCounts'];
  disputes?: Overview['disputes'] | undefined;
  /** Dollars available for grants; undefined for roles that can't see them. */
  available?: number | undefined;
};

/** Tasks that need the user's attention, each with a link. */
export function TaskSection({ orgId, pendingCounts, disputes = [], available = 0 }: TaskSectionProps) {
  const can = useCan(orgId);
  const { zone } = useDates();
  if (!TASK_PERMISSIONS.some(can)) return null;
  const allItems = [
    ...listOverspendingTasks(orgId, available),
    ...listDisputeTasks(orgId, disputes, zone),
    ...listPendingTasks(orgId, { ...pendingCounts, disputed: pendingCounts.disputed - disputes.length }),
    ...listClosingTasks(orgId, pendingCounts),
  ];
  const items = allItems.filter(({ action }) => can(action));
  return (
    <section aria-labelledby="waiting" className={styles.section}>
      <h2 id="waiting">Needs your attention</h2>
      {items.length === 0 ? (
        <p className={styles.quiet}>
          <ExtendedIcon name="check" /> You’re all caught up.
        </p>
      ) : (
        <TaskList tasks={items} />
      )}
    </section>
  );
}

/** @param available dollars available for grants */
export function listOverspendingTasks(orgId: string, available: number): Task[] {
  if (available >= 0) return [];
  return [
    {
      action: 'grants.pay',
      title: `Grants exceed gifts by ${formatDollars(-available)}`,
      detail: 'Check the payments and promises of your grants.',
      to: pagePath('grants-page', { orgid: orgId }),
      icon: 'info',
    },
  ];
}

/** "Oscar Disputo disputes $250.00" */
export function listDisputeTasks(orgId: string, disputes: Overview['disputes'], zone: TimeZone): Task[] {
  return disputes.map(({ giftid: id, name, amount, dueTimestamp }) => ({
    action: 'attention.resolve',
    title: `${name ?? 'A donor'} disputes ${formatDollars(amount)}`,
    detail: describeDeadline(dueTimestamp && formatDate(dueTimestamp, zone)),
    to: checkoutsUrl(orgId, {}, { openGift: { kind: 'card', id } }),
    icon: 'shield',
  }));
}

function listClosingTasks(orgId: string, { monthToClose: month }: Overview['pendingCounts']): Task[] {
  if (month === null) return [];
  return [
    {
      action: 'books.reconcile',
      title: `Close ${formatMonth(month)}`,
      detail: 'Check off its payouts and deposits on your bank statement.',
      to: payoutsUrl(orgId, { month }),
      icon: 'list',
    },
  ];
}

function listPendingTasks(orgId: string, pendingCounts: Overview['pendingCounts']): Task[] {
  const { attention, contested, disputed, failed, processing } = pendingCounts;
  const { pledges, pledgedDollars, suspiciousPledges, stories, receipts } = pendingCounts;
  const getStatusUrl = (status: 'disputed' | 'failed' | 'processing') => checkoutsUrl(orgId, { status });
  const items: (Task & { count: number })[] = [
    {
      action: 'attention.resolve',
      count: attention,
      title: attentionTitle(attention),
      detail: 'This money isn’t in your totals yet.',
      to: checkoutsUrl(orgId),
      icon: 'shield',
    },
    {
      action: 'attention.resolve',
      count: contested,
      title: `${pluralize(contested, 'payment is', 'payments are')} contested`,
      detail: 'The donor’s bank suspects fraud or is asking about it. Respond at the card processor.',
      to: checkoutsUrl(orgId),
      icon: 'shield',
    },
    {
      action: 'attention.resolve',
      count: disputed,
      title: `${pluralize(disputed, 'more gift is', 'more gifts are')} disputed`,
      detail: describeDeadline(null),
      to: getStatusUrl('disputed'),
      icon: 'shield',
    },
    {
      action: 'attention.resolve',
      count: failed,
      title: `${pluralize(failed, 'payment')} failed in the last 30 days`,
      detail: `You may want to contact the ${failed === 1 ? 'donor' : 'donors'}.`,
      to: getStatusUrl('failed'),
      icon: 'info',
    },
    {
      action: 'checks.manage',
      count: pledges,
      title: `${pluralize(pledges, 'pledged check')}, ${formatDollars(pledgedDollars)}`,
      detail: pledges === 1 ? 'Mark it received when it arrives.' : 'Mark each received when it arrives.',
      to: checkoutsUrl(orgId, { status: 'pledged' }),
      icon: 'mail',
    },
    {
      action: 'checks.manage',
      count: suspiciousPledges,
      title: `${pluralize(suspiciousPledges, 'pledge is', 'pledges are')} suspicious`,
      detail: 'Very large, or many from one place. Keep the real ones; the others are deleted after 90 days.',
      to: checkoutsUrl(orgId, { status: 'suspicious' }),
      icon: 'info',
    },
    {
      action: 'attention.resolve',
      count: processing,
      title: `${pluralize(processing, 'bank payment is', 'bank payments are')} on the way`,
      detail: 'Bank payments usually take a few business days.',
      to: getStatusUrl('processing'),
      icon: 'repeat',
    },
    {
      action: 'receipts.send',
      count: receipts,
      title: `${pluralize(receipts, 'receipt')} to send`,
      detail:
        receipts === 1 ? 'Email it to another address, or mail it.' : 'Email them to other addresses, or mail them.',
      to: receiptsUrl(orgId),
      icon: 'mail',
    },
    {
      action: 'stories.edit',
      count: stories,
      title: `${pluralize(stories, 'story is', 'stories are')} waiting for review`,
      detail: stories === 1 ? 'It’s hidden until you publish it.' : 'They’re hidden until you publish them.',
      to: pagePath('review-page', { orgid: orgId }),
      icon: 'heart',
    },
  ];
  return items.filter(({ count }) => count > 0);
}

type ListedTask = {
  readonly title: string;
  readonly detail?: string;
  readonly to: string;
  readonly icon: ExtendedIconName;
};

/** Shown only to users with this permission. */
type Task = ListedTask & { readonly action: Action; readonly detail: string };

function TaskList({ tasks }: { tasks: readonly ListedTask[] }) {
  return (
    <ul>
      {tasks.map(({ title, detail, to, icon }) => (
        <li key={`${to} ${title}`}>
          <Link to={to}>
            <ExtendedIcon name={icon} />
            <span>
              {title}
              {detail !== undefined && <small>{detail}</small>}
            </span>
            <ExtendedIcon name="next" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
