import { type SubmitEvent, useId, useState } from 'react';
import type { Day } from '#domain/days.ts';
import { sentenceOf } from '#domain/failures.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { Button } from '#web/ui/button.tsx';
import { ChoiceGroup } from '#web/ui/choice.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from '../treasury.module.css';
import { DayField } from './checkout-search.tsx';
import { type ExportSpan, SPANS, spanOf } from './export-span.ts';

export type LedgerDays = { readonly from: Day | undefined; readonly to: Day | undefined };

type ExportDialogProps = {
  /** Fetches the table, tells how much of it has come, and hands it to the browser as a file. */
  onExport: (days: LedgerDays, onProgress: (fraction: number) => void) => Promise<void>;
  onClose: () => void;
};

/** The treasurer's table: of which days, and how much of it has come. */
export function ExportDialog({ onExport, onClose }: ExportDialogProps) {
  const formId = useId();
  const [span, setSpan] = useState<ExportSpan>('this-year');
  const [own, setOwn] = useState<LedgerDays>({ from: undefined, to: undefined });
  const [now] = useState(() => new Date());
  const [come, setCome] = useState(0);
  const { busy, problem, run, clear } = useAttempt();
  const days = span === 'own' ? own : spanOf(span, now);
  const isBackwards = days.from !== undefined && days.to !== undefined && days.to < days.from;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setCome(0);
    if (!isBackwards) void run(() => onExport(days, setCome));
  };
  const footer = (
    <>
      <Button kind="outline" disabled={busy} onClick={onClose}>
        Close
      </Button>
      <Button type="submit" form={formId} busy={busy}>
        Download
      </Button>
    </>
  );
  return (
    <Dialog title="Export the ledger" open onClose={() => !busy && onClose()} footer={footer}>
      <form id={formId} onSubmit={submit} className={styles.fields}>
        <p>A table in CSV with a line for each gift, renewal, refund, check and adjustment, by the day of UTC.</p>
        <ChoiceGroup
          legend="Which days?"
          options={SPANS}
          value={span}
          disabled={busy}
          onChange={(chosen) => {
            setSpan(chosen);
            clear();
          }}
        />
        {span === 'own' && (
          <div className={styles.days}>
            <DayField label="From" day={own.from} onChange={(from) => setOwn({ ...own, from })} />
            <DayField
              label="To"
              day={own.to}
              error={isBackwards ? sentenceOf('days-backwards') : undefined}
              onChange={(to) => setOwn({ ...own, to })}
            />
          </div>
        )}
        {busy && <Come fraction={come} />}
        <Problem>{problem}</Problem>
      </form>
    </Dialog>
  );
}

/** How often it is read out: at every quarter. */
const TOLD_EACH = 25;

function Come({ fraction }: { fraction: number }) {
  const percent = Math.floor(fraction * 100);
  return (
    <div>
      <progress className={styles.bar} value={fraction} max={1} aria-label="Download" />
      <p aria-hidden="true">{percent}% of the lines are here</p>
      <output className={styles.unseen}>{percent - (percent % TOLD_EACH)} percent</output>
    </div>
  );
}
