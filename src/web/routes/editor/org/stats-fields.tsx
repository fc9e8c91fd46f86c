import { displayedStats, STAT_NAMES, type Stats } from '#domain/org.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import styles from './org-settings.module.css';
import { SettingsSection } from './settings-section.tsx';
import { amountNote, amountsOf, STAT_LABELS, type StatName, type StatTexts, statText } from './stat-words.ts';

type StatsFieldsProps = {
  /** As the ledger has them. */
  stats: Stats;
  delta: StatTexts;
  onDelta: (name: StatName, text: string) => void;
  /** Asks for what the stats are to be set to. */
  onSet: () => void;
};

/** The stats: what the ledger adds up to, the editors' correction on top, and what the public sees of both (§3). */
export function StatsFields({ stats, delta, onDelta, onSet }: StatsFieldsProps) {
  const shown = displayedStats(stats, amountsOf(delta));
  return (
    <SettingsSection
      title="Stats"
      lead="The ledger counts every gift by itself. A delta is added to what is shown, and to nothing else."
    >
      <ul className={styles.stats}>
        {STAT_NAMES.map((name) => (
          <li key={name} className={styles.stat}>
            <h3 className={styles.called}>{STAT_LABELS[name]}</h3>
            <p className={styles.amount}>
              <span>From the ledger</span>
              <strong>{statText(name, stats[name])}</strong>
            </p>
            <TextField
              label={
                <>
                  Delta<VisuallyHidden> of {STAT_LABELS[name]}</VisuallyHidden>
                </>
              }
              type="text"
              inputMode="decimal"
              autoComplete="off"
              value={delta[name]}
              error={amountNote(delta[name])}
              onChange={({ currentTarget }) => onDelta(name, currentTarget.value)}
            />
            <p className={styles.amount}>
              <span>Shown</span>
              <strong>{statText(name, shown[name])}</strong>
            </p>
          </li>
        ))}
      </ul>
      <Button kind="outline" className={styles.set} onClick={onSet}>
        Set the stats…
      </Button>
    </SettingsSection>
  );
}
