import { displayedStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { FormDialog } from '#web/forms/form-dialog.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { TextArea, TextField } from '#web/ui/field.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './org.module.css';
import {
  createStatsCorrection,
  describeCorrection,
  findStatProblem,
  formatPublicStat,
  formatStat,
  parseStats,
  STAT_LABELS,
  type StatInputs,
  type StatName,
  type StatsCorrection,
  type StatTexts,
} from './settings-draft.ts';

type StatsFieldsProps = {
  /** Totals from the ledger. */
  stats: Stats;
  delta: StatTexts;
  onDeltaChange: (name: StatName, text: string) => void;
};

/** Fields for each stat: the ledger's total, the editors' delta, and the public sum (§3). */
export function StatsFields({ stats, delta, onDeltaChange }: StatsFieldsProps) {
  const displayed = displayedStats(stats, parseStats(delta));
  return (
    <ul>
      {STAT_NAMES.map((name) => (
        <li key={name} className={styles.stat}>
          <h3>{STAT_LABELS[name]}</h3>
          <p className={styles.amount}>
            <span>Stats</span>
            <strong>{formatPublicStat(name, stats[name])}</strong>
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
            error={findStatProblem(name, delta[name])}
            onChange={({ currentTarget }) => onDeltaChange(name, currentTarget.value)}
          />
          <p className={styles.amount}>
            <span>Shown</span>
            <strong>{formatPublicStat(name, displayed[name])}</strong>
          </p>
        </li>
      ))}
    </ul>
  );
}

type CorrectStatsDialogProps = {
  /** Totals from the ledger. */
  stats: Stats;
  onCorrect: (correction: StatsCorrection) => Promise<void>;
  onClose: () => void;
};

type CorrectionForm = { readonly inputs: StatInputs; readonly reason: string };

/** Corrects the ledger's totals: the difference is posted to it, with a reason (decisions §3). */
export function CorrectStatsDialog({ stats, onCorrect, onClose }: CorrectStatsDialogProps) {
  const form = useForm<CorrectionForm, never>({ initial: { inputs: {}, reason: '' }, fields: [] });
  const { values, change } = form;
  const { inputs, reason } = values;
  const correction = createStatsCorrection(stats, inputs, reason);
  const changes = describeCorrection(stats, inputs);
  return (
    <FormDialog
      title="Correct the stats"
      confirmLabel="Correct the stats"
      ready={correction !== undefined}
      form={form}
      onSubmit={async () => correction && onCorrect(correction)}
      onClose={onClose}
    >
      <p>We’ll record the difference in the ledger with your name, the time, and the reason. It can’t be removed.</p>
      <div className={styles.correction}>
        {STAT_NAMES.map((name) => (
          <TextField
            key={name}
            label={STAT_LABELS[name]}
            inputMode="decimal"
            autoComplete="off"
            hint={`Now ${formatStat(name, stats[name])}`}
            value={inputs[name] ?? String(stats[name])}
            error={inputs[name] === undefined ? undefined : findStatProblem(name, inputs[name], 0)}
            onChange={({ currentTarget }) => change({ inputs: { ...inputs, [name]: currentTarget.value } })}
          />
        ))}
        <TextArea
          label="Why?"
          rows={2}
          required
          maxLength={500}
          hint="For your treasurer, such as “Gifts at the fair on May 3, counted by hand”."
          {...form.fieldProps('reason')}
        />
      </div>
      <p role="status" className={styles.change}>
        {changes && `Will be recorded: ${changes}`}
      </p>
    </FormDialog>
  );
}
