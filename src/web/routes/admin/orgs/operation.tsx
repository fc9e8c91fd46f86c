import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Check, ShownFigures } from '#contract/schemas/operation.ts';
import { formatWhole } from '#domain/money.ts';
import { messageOf } from '#web/api/refusal.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Fact, Facts, StatusMark, type Tone } from '#web/ui/list-parts.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './orgs.module.css';

/** System status, and whether every setting works when it is tried. */
export function Operation({ figures }: { figures: ShownFigures }) {
  const api = useApi();
  const { data, mutate, isPending, error } = useMutation({ mutationFn: () => api.call('checkSettings', {}) });
  return (
    <section className={styles.operation} aria-labelledby="operation">
      <h2 id="operation">System status</h2>
      <Facts>
        {factsOf(figures).map(({ name, text, tone }) => (
          <Fact key={name} name={name}>
            {tone && <StatusMark tone={tone}>{tone === 'done' ? 'Good' : 'Look at this'}</StatusMark>} {text}
          </Fact>
        ))}
      </Facts>
      <p>Tests every setting, like “fund doctor” on the server. It changes nothing.</p>
      <Button kind="outline" busy={isPending} onClick={() => mutate()}>
        {isPending ? 'Trying…' : 'Try all settings'}
      </Button>
      <output>{data && <p>{summaryOf(data.checks)}</p>}</output>
      {data && <Checks checks={data.checks} />}
      <Problem>{messageOf(error)}</Problem>
    </section>
  );
}

const STATES: Readonly<Record<Check['state'], { readonly tone: Tone; readonly word: string }>> = {
  wrong: { tone: 'wrong', word: 'Error' },
  warning: { tone: 'waiting', word: 'Warning' },
  ok: { tone: 'done', word: 'OK' },
};
const WORST_FIRST = Object.keys(STATES);

function summaryOf(checks: readonly Check[]): string {
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  return `${count('ok')} OK, ${counted(count('warning'), 'warning')}, ${counted(count('wrong'), 'error')}`;
}

function Checks({ checks }: { checks: readonly Check[] }): ReactNode {
  const sorted = checks.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state));
  return (
    <Facts>
      {sorted.map(({ subject, state, text }) => (
        <Fact key={`${subject} ${text}`} name={subject}>
          <StatusMark tone={STATES[state].tone}>{STATES[state].word}</StatusMark> {sentence(text)}
        </Fact>
      ))}
    </Facts>
  );
}

type Shown = { readonly name: string; readonly text: string; readonly tone?: Tone | undefined };

/** Marks a figure that needs attention or confirms that all is well. */
function factsOf(at: ShownFigures): Shown[] {
  const ago = (time: string) => ageText(time, at.createdTimestamp);
  const refused = at.webhookRefused !== null && at.webhookRefused > (at.webhookVerified ?? '');
  const arrived = at.webhookVerified === null ? 'none received yet' : `last received ${ago(at.webhookVerified)}`;
  const overdue = at.overdueCheckouts > 0 ? `, ${formatWhole(at.overdueCheckouts)} of them overdue` : '';
  return [
    {
      name: 'Payment webhooks',
      text: refused
        ? `${formatWhole(at.webhooksRefused)} rejected, most recently ${ago(at.webhookRefused ?? '')}. Check STRIPE_WEBHOOK_SECRET. Valid webhooks: ${arrived}.`
        : `${sentence(arrived)}; ${some(at.reportsWaiting, 'waiting')}.`,
      tone: refused ? 'wrong' : undefined,
    },
    {
      name: 'Jobs',
      text: `${sentence(some(at.jobsWaiting, 'waiting'))}${at.oldestJob === null ? '' : `, the oldest queued ${ago(at.oldestJob)}`}.`,
    },
    {
      name: 'Emails',
      text: `${sentence(some(at.mailsFailed, 'failed'))} in the last seven days${at.mailFailed === null ? '' : `, most recently ${ago(at.mailFailed)}`}.`,
    },
    {
      name: 'Pending payments',
      text: `${at.unsettledCheckouts === 0 ? 'None' : formatWhole(at.unsettledCheckouts)}${overdue}.`,
      tone: at.overdueCheckouts > 0 ? 'wrong' : undefined,
    },
    {
      name: 'Last backup',
      text: `${at.backupMade === null ? 'None yet' : sentence(ago(at.backupMade))}${at.backupFailed === null ? '' : `; a later backup failed ${ago(at.backupFailed)}`}.`,
      tone: at.backupFailed === null ? undefined : 'wrong',
    },
    {
      name: 'Last restore drill',
      text: drillText(at, ago),
      tone: at.drillFailed !== null ? 'wrong' : at.drillDue ? 'waiting' : undefined,
    },
    {
      name: 'Books',
      text: booksText(at, ago),
      tone: at.bookDifferences > 0 ? 'wrong' : at.booksVerified === null ? undefined : 'done',
    },
  ];
}

function drillText(
  { restoreProven, provenBackup, provenSeconds, drillFailed, drillProblem, drillDue }: ShownFigures,
  ago: (time: string) => string,
): string {
  const advice = drillDue ? ' Run “fund drill” on the server every month.' : '';
  const proven =
    restoreProven === null
      ? 'None yet.'
      : `${sentence(ago(restoreProven))}, in ${formatWhole(provenSeconds ?? 0)} s${provenBackup === null ? '' : `, of the backup made ${ago(provenBackup)}`}.`;
  const failed = drillFailed === null ? '' : ` A drill failed ${ago(drillFailed)}: ${drillProblem ?? ''}`;
  return proven + failed + advice;
}

function booksText({ booksVerified, bookDifferences }: ShownFigures, ago: (time: string) => string): string {
  if (booksVerified === null) return 'Not verified yet. Verification runs every night.';
  return bookDifferences === 0
    ? `Verified ${ago(booksVerified)}. No differences.`
    : `Verified ${ago(booksVerified)}. ${formatWhole(bookDifferences)} differences. Run “fund verify-ledger” on the server.`;
}

function some(count: number, state: string): string {
  return count === 0 ? `none ${state}` : `${formatWhole(count)} ${state}`;
}

/** "1 warning", "2 warnings" */
function counted(count: number, unit: string): string {
  return `${formatWhole(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** Capitalizes the first letter, unless the text begins with an address. */
function sentence(text: string): string {
  if (text.startsWith('http')) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "3 hours ago"; both are times of the server. */
function ageText(time: string, now: string): string {
  const age = Date.parse(now) - Date.parse(time);
  const [unit, ms] = UNITS.find(([, length]) => age >= length) ?? ['minute', Number.POSITIVE_INFINITY];
  const count = Math.floor(age / ms);
  return count < 1 ? 'just now' : `${counted(count, unit)} ago`;
}
