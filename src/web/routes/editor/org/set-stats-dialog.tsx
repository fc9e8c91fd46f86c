import { type SubmitEvent, useId, useState } from 'react';
import { STAT_NAMES, type Stats } from '#domain/org.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './org-settings.module.css';
import { amountNote, STAT_LABELS, type StatName, statText } from './stat-words.ts';
import { postingText, type StatsSetting, statsSettingOf, type TypedStats } from './stats-setting.ts';

type SetStatsDialogProps = {
  /** As the ledger has them now. */
  stats: Stats;
  onSet: (setting: StatsSetting) => Promise<void>;
  onClose: () => void;
};

const FORM = 'set-stats';

/** Asks what the stats are to be, and why: the difference is posted to the ledger (decisions §3). */
export function SetStatsDialog({ stats, onSet, onClose }: SetStatsDialogProps) {
  const formId = `${useId()}-${FORM}`;
  const [typed, setTyped] = useState<TypedStats>({});
  const [reason, setReason] = useState('');
  const { busy, problem, run, clear } = useAttempt();
  const setting = statsSettingOf(stats, typed, reason);
  const posting = postingText(stats, typed);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (setting) void run(() => onSet(setting));
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
      <Button type="submit" form={formId} busy={busy} disabled={!setting}>
        Set the stats
      </Button>
    </>
  );
  return (
    <Dialog title="Set the stats" open onClose={() => !busy && onClose()} footer={footer}>
      <p>
        The difference from what the ledger holds is posted to it as an adjustment, with your name, the time and the
        reason. It stays there for good.
      </p>
      <form id={formId} onSubmit={submit} noValidate className={styles.setting}>
        {STAT_NAMES.map((name) => (
          <TextField
            key={name}
            label={STAT_LABELS[name]}
            type="text"
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
          hint="For your treasurer: “Gifts at the fair of May 3, counted by hand”."
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </form>
      <p role="status" className={styles.posting}>
        {posting && (
          <>
            To be posted: <strong>{posting}</strong>
          </>
        )}
      </p>
      <Problem>{problem}</Problem>
    </Dialog>
  );
}
