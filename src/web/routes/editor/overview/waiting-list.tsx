import { pagePath } from '#contract/pages.ts';
import type { Overview } from '#contract/schemas/treasury.ts';
import { formatDollars } from '#domain/money.ts';
import { Icon } from '#web/ui/icon.tsx';
import { checkoutsAddress, checksAddress, NO_FILTERS } from '../checkouts/checkout-view.ts';
import styles from './overview.module.css';
import { type Task, TaskList } from './task-list.tsx';

/** What waits for an editor, each with the way there. */
export function WaitingList({ orgid, waiting }: { orgid: string; waiting: Overview['waiting'] }) {
  const items = waitingItems(orgid, waiting);
  return (
    <section aria-labelledby="waiting" className={styles.waiting}>
      <h2 id="waiting">To look after</h2>
      {items.length === 0 ? (
        <p className={styles.quiet}>
          <Icon name="check" /> Nothing waits for you.
        </p>
      ) : (
        <TaskList tasks={items} />
      )}
    </section>
  );
}

function waitingItems(orgid: string, waiting: Overview['waiting']): Task[] {
  const { disputed, failed, processing, pledges, pledged, stories } = waiting;
  const of = (status: 'disputed' | 'failed' | 'processing') => checkoutsAddress(orgid, { ...NO_FILTERS, status });
  const items: (Task & { count: number })[] = [
    {
      count: disputed,
      words: `${counted(disputed, 'gift is', 'gifts are')} disputed`,
      detail: 'Answer at the payment provider, which sets a time for it.',
      to: of('disputed'),
      icon: 'shield',
    },
    {
      count: failed,
      words: `${counted(failed, 'payment', 'payments')} failed in the last 30 days`,
      detail: `You may want to write to ${failed === 1 ? 'the giver' : 'the givers'}.`,
      to: of('failed'),
      icon: 'info',
    },
    {
      count: pledges,
      words: `${counted(pledges, 'check', 'checks')} promised, ${formatDollars(pledged)} in all`,
      detail: pledges === 1 ? 'Receive it when it comes.' : 'Receive them when they come.',
      to: checksAddress(orgid),
      icon: 'mail',
    },
    {
      count: processing,
      words: `${counted(processing, 'bank debit is', 'bank debits are')} under way`,
      detail: `${processing === 1 ? 'It settles by itself' : 'They settle by themselves'} within some days.`,
      to: of('processing'),
      icon: 'repeat',
    },
    {
      count: stories,
      words: `${counted(stories, 'story waits', 'stories wait')} for your review`,
      detail: `Nobody sees ${stories === 1 ? 'it' : 'them'} until then.`,
      to: pagePath('review-page', { orgid }),
      icon: 'heart',
    },
  ];
  return items.filter(({ count }) => count > 0);
}

function counted(count: number, one: string, many: string): string {
  return count === 1 ? `One ${one}` : `${count} ${many}`;
}
