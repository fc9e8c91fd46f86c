import { useState } from 'react';
import type { TestReport } from '#contract/schemas/site.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useApi } from '#web/session/app-context.ts';
import { Button } from '#web/ui/button.tsx';
import { Problem } from '#web/ui/problem.tsx';
import styles from './demo.module.css';
import { Demo, DemoSection } from './demo.tsx';

/** Has the program look at itself (§7: POST /test), and says what it found. */
export function SiteTest() {
  const api = useApi();
  const [report, setReport] = useState<TestReport>();
  const { busy, problem, run } = useAttempt();
  return (
    <DemoSection title="The program">
      <Demo title="A look at itself" wide>
        <p>It asks the database, and adds up every ledger anew. It changes nothing.</p>
        <div className={styles.row}>
          <Button busy={busy} onClick={() => void run(async () => setReport(await api.call('runTest', {})))}>
            {busy ? 'Looking…' : 'Run the test'}
          </Button>
        </div>
        <output>{report && <Report report={report} />}</output>
        <Problem>{problem}</Problem>
      </Demo>
    </DemoSection>
  );
}

function Report({ report }: { report: TestReport }) {
  const { databaseMilliseconds, ledgerDifferences, createdTimestamp } = report;
  return (
    <dl className={styles.report}>
      <dt>Database</dt>
      <dd>Answers in {databaseMilliseconds} ms</dd>
      <dt>Ledgers</dt>
      <dd>
        {ledgerDifferences === 0
          ? 'Add up: no difference'
          : `${ledgerDifferences} differences: ask whoever runs the server for “npm run verify-ledger”`}
      </dd>
      <dt>Time of the server</dt>
      <dd>{createdTimestamp}</dd>
    </dl>
  );
}
