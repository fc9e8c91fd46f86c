import { type ReactNode, useState } from 'react';
import type { OperationStatus, SettingCheck } from '#contract/schemas/operation.ts';
import { formatWhole } from '#domain/money.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/layout.tsx';
import { Detail, DetailList, StatusMark, type Tone } from '#web/ui/list-parts.tsx';
import { pluralize } from '#web/ui/pluralize.ts';
import { Problem } from '#web/ui/problem.tsx';
import styles from './orgs.module.css';

/** Shows the system status and a button that tests every setting. */
export function SystemStatus({ figures }: { figures: OperationStatus }) {
  const api = useApi();
  const [checks, setChecks] = useState<readonly SettingCheck[]>();
  const { run, busy, problem } = useAttempt();
  const test = async () => setChecks((await api.call('checkSettings', {})).checks);
  return (
    <section className={styles.status} aria-labelledby="system-status">
      <h2 id="system-status">System status</h2>
      <Card>
        <DetailList>
          {listStatusDetails(figures).map(({ name, text, tone }) => (
            <Detail key={name} name={name}>
              {tone && <StatusMark tone={tone}>{tone === 'done' ? 'Good' : 'Needs attention'}</StatusMark>} {text}
            </Detail>
          ))}
        </DetailList>
        <div className={styles.test}>
          <p>Tests every setting, like “fund doctor” on the server, without changing anything.</p>
          <Button kind="outline" busy={busy} onClick={() => void run(test)}>
            {busy ? 'Testing…' : 'Test all settings'}
          </Button>
        </div>
        <output>{checks && <p>{summarizeChecks(checks)}</p>}</output>
        {checks && <Checks checks={checks} />}
        <Problem>{problem}</Problem>
      </Card>
    </section>
  );
}

const STATES: Readonly<Record<SettingCheck['state'], { readonly tone: Tone; readonly label: string }>> = {
  error: { tone: 'error', label: 'Error' },
  warning: { tone: 'waiting', label: 'Warning' },
  ok: { tone: 'done', label: 'OK' },
};
const WORST_FIRST = Object.keys(STATES);

function summarizeChecks(checks: readonly SettingCheck[]): string {
  const count = (state: SettingCheck['state']) => checks.filter((check) => check.state === state).length;
  return `${count('ok')} OK, ${pluralize(count('warning'), 'warning')}, ${pluralize(count('error'), 'error')}`;
}

function Checks({ checks }: { checks: readonly SettingCheck[] }): ReactNode {
  const sortedChecks = checks.toSorted((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state));
  return (
    <DetailList>
      {sortedChecks.map(({ subject, state, text }) => (
        <Detail key={`${subject} ${text}`} name={subject}>
          <StatusMark tone={STATES[state].tone}>{STATES[state].label}</StatusMark> {capitalize(text)}
        </Detail>
      ))}
    </DetailList>
  );
}

type StatusDetail = { readonly name: string; readonly text: string; readonly tone?: Tone | undefined };

/** Lists the status figures and marks the ones that need attention. */
function listStatusDetails(figures: OperationStatus): StatusDetail[] {
  const ago = (time: string) => formatAge(time, figures.createdTimestamp);
  const isRejected =
    figures.lastWebhookRejectedAt !== null && figures.lastWebhookRejectedAt > (figures.lastWebhookVerifiedAt ?? '');
  const lastWebhook =
    figures.lastWebhookVerifiedAt === null
      ? 'none received yet'
      : `last received ${ago(figures.lastWebhookVerifiedAt)}`;
  const overdue = figures.overdueCheckouts > 0 ? `, ${formatWhole(figures.overdueCheckouts)} of them overdue` : '';
  return [
    {
      name: 'Payment webhooks',
      text: isRejected
        ? `${formatWhole(figures.rejectedWebhookCount)} rejected, most recently ${ago(figures.lastWebhookRejectedAt ?? '')}. Check STRIPE_WEBHOOK_SECRET. Valid webhooks: ${lastWebhook}.`
        : `${capitalize(lastWebhook)}; ${formatCount(figures.pendingEventCount, 'pending')}.`,
      tone: isRejected ? 'error' : undefined,
    },
    {
      name: 'Jobs',
      text: `${capitalize(formatCount(figures.pendingJobCount, 'pending'))}${figures.oldestJobCreatedAt === null ? '' : `, the oldest queued ${ago(figures.oldestJobCreatedAt)}`}.`,
    },
    {
      name: 'Emails',
      text: `${capitalize(formatCount(figures.failedEmailCount, 'failed'))} in the last seven days${figures.lastEmailFailedAt === null ? '' : `, most recently ${ago(figures.lastEmailFailedAt)}`}.`,
    },
    {
      name: 'Pending payments',
      text: `${figures.unsettledCheckouts === 0 ? 'None' : formatWhole(figures.unsettledCheckouts)}${overdue}.`,
      tone: figures.overdueCheckouts > 0 ? 'error' : undefined,
    },
    {
      name: 'Last backup',
      text: `${figures.lastBackupAt === null ? 'None yet' : capitalize(ago(figures.lastBackupAt))}${figures.lastBackupFailedAt === null ? '' : `; a later backup failed ${ago(figures.lastBackupFailedAt)}`}.`,
      tone: figures.lastBackupFailedAt === null ? undefined : 'error',
    },
    {
      name: 'Last restore drill',
      text: formatDrill(figures, ago),
      tone: figures.lastDrillFailedAt !== null ? 'error' : figures.isDrillOverdue ? 'waiting' : undefined,
    },
    {
      name: 'Books',
      text: formatBooks(figures, ago),
      tone: figures.bookDifferences > 0 ? 'error' : figures.booksVerifiedAt === null ? undefined : 'done',
    },
    {
      name: 'Reconciliation with the card processor',
      text: formatComparison(figures, ago),
      tone: figures.providerDifferences > 0 ? 'error' : figures.providerComparedAt === null ? undefined : 'done',
    },
  ];
}

function formatDrill(
  {
    lastDrillSucceededAt,
    drilledBackupStartedAt,
    drillDurationSeconds,
    lastDrillFailedAt,
    drillProblem,
    isDrillOverdue,
  }: OperationStatus,
  ago: (time: string) => string,
): string {
  const advice = isDrillOverdue ? ' Run “fund drill” on the server every month.' : '';
  const lastDrill =
    lastDrillSucceededAt === null
      ? 'None yet.'
      : `${capitalize(ago(lastDrillSucceededAt))}, in ${formatWhole(drillDurationSeconds ?? 0)} s${drilledBackupStartedAt === null ? '' : `, of the backup made ${ago(drilledBackupStartedAt)}`}.`;
  const lastFailure =
    lastDrillFailedAt === null ? '' : ` A drill failed ${ago(lastDrillFailedAt)}: ${drillProblem ?? ''}`;
  return lastDrill + lastFailure + advice;
}

function formatBooks({ booksVerifiedAt, bookDifferences }: OperationStatus, ago: (time: string) => string): string {
  if (booksVerifiedAt === null) return 'Not verified yet. Verification runs every night.';
  return bookDifferences === 0
    ? `Verified ${ago(booksVerifiedAt)}. No differences.`
    : `Verified ${ago(booksVerifiedAt)}. ${pluralize(bookDifferences, 'difference')}. Run “fund verify-ledger” on the server.`;
}

function formatComparison(
  { providerComparedAt, providerDifferences }: OperationStatus,
  ago: (time: string) => string,
): string {
  if (providerComparedAt === null) return 'Not compared yet. The comparison runs every night.';
  return providerDifferences === 0
    ? `Compared ${ago(providerComparedAt)}. No differences.`
    : `Compared ${ago(providerComparedAt)}. ${pluralize(providerDifferences, 'difference')}. Run “fund verify-ledger --provider” on the server.`;
}

function formatCount(count: number, state: string): string {
  return count === 0 ? `none ${state}` : `${formatWhole(count)} ${state}`;
}

/** Capitalizes the first letter, unless the text starts with a URL. */
function capitalize(text: string): string {
  if (text.startsWith('http')) return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "3 hours ago". Both times come from the server's clock. */
function formatAge(time: string, now: string): string {
  const age = Date.parse(now) - Date.parse(time);
  const [unit, unitMs] = UNITS.find(([, milliseconds]) => age >= milliseconds) ?? ['minute', Number.POSITIVE_INFINITY];
  const count = Math.floor(age / unitMs);
  return count < 1 ? 'just now' : `${pluralize(count, unit)} ago`;
}
