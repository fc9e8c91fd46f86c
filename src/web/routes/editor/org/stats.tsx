import { type SubmitEvent, useId, useState } from 'react';
import { displayedStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './org.module.css';
import {
  amountNote,
  amountsOf,
  correctionText,
  publicStatText,
  STAT_LABELS,
  type StatName,
  type StatsCorrection,
  type StatTexts,
  statsCorrectionOf,
  statText,
  type TypedStats,
} from './settings-draft.ts';

type StatsFieldsProps = {
  /** From the ledger. */
  stats: Stats;
  delta: StatTexts;
  onDelta: (name: StatName, text: string) => void;
};

/** For each stat, the ledger's total, the editors' delta, and the sum that the public sees (§3). */
export function StatsFields({ stats, delta, onDelta }: StatsFieldsProps) {
  const displayed = displayedStats(stats, amountsOf(delta));
  return (
    <ul>
      {STAT_NAMES.map((name) => (
        <li key={name} className={styles.stat}>
          <h3>{STAT_LABELS[name]}</h3>
          <p className={styles.amount}>
            <span>Stats</span>
            <strong>{publicStatText(name, stats[name])}</strong>
          </p>
          <TextField
            label={
              <>
                Stats delta<VisuallyHidden> of {STAT_LABELS[name]}</VisuallyHidden>
              </>
            }
            inputMode="decimal"
            autoComplete="off"
            value={delta[name]}
            error={amountNote(delta[name])}
            onChange={({ currentTarget }) => onDelta(name, currentTarget.value)}
          />
          <p className={styles.amount}>
            <span>Shown</span>
            <strong>{publicStatText(name, displayed[name])}</strong>
          </p>
        </li>
      ))}
    </ul>
  );
}

type CorrectStatsDialogProps = {
  /** From the ledger. */
  stats: Stats;
  onCorrect: (correction: StatsCorrection) => Promise<void>;
  onClose: () => void;
};

/** Corrects the ledger's totals: the difference is posted to it, with a reason (decisions §3). */
export function CorrectStatsDialog({ stats, onCorrect, onClose }: CorrectStatsDialogProps) {
  const formId = useId();
  const [typed, setTyped] = useState<TypedStats>({});
  const [reason, setReason] = useState('');
  const { run, busy, problem, clear } = useAttempt();
  const correction = statsCorrectionOf(stats, typed, reason);
  const change = correctionText(stats, typed);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (correction) void run(() => onCorrect(correction));
  };
  const type = (name: StatName, text: string) => {
    setTyped((before) => ({ ...before, [name]: text }));
    clear();
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Cancel
      </Button>
      <Button type="submit" form={formId} busy={busy} disabled={!correction}>
        Correct the stats
      </Button>
    </>
  );
  return (
    <Dialog title="Correct the stats" open onClose={() => !busy && onClose()} footer={footer}>
      <p>We’ll record the difference in the ledger with your name, the time and the reason. It can’t be removed.</p>
      <form id={formId} onSubmit={submit} noValidate className={styles.correction}>
        {STAT_NAMES.map((name) => (
          <TextField
            key={name}
            label={STAT_LABELS[name]}
            inputMode="decimal"
            autoComplete="off"
            hint={`Now ${statText(name, stats[name])}`}
            value={typed[name] ?? String(stats[name])}
            error={typed[name] === undefined ? undefined : amountNote(typed[name], 0)}
            onChange={({ currentTarget }) => type(name, currentTarget.value)}
          />
        ))}
        <TextArea
          label="Why?"
          rows={2}
          required
          maxLength={500}
          hint="For your treasurer, such as “Gifts at the fair on May 3, counted by hand”."
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </form>
      <p role="status" className={styles.change}>
        {change && `Will be recorded: ${change}`}
      </p>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
