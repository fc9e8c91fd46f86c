import { useState } from 'react';
import type { TestReport } from '#contract/schemas/site.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { useAttempt } from '#web/api/use-attempt.ts';
import { useEnglishAddress } from '#web/navigation/use-english-address.ts';
import { useApi } from '#web/session/app-context.ts';
import type { SiteFrameData } from '#web/site/page.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Fact, Facts } from '#web/ui/list-parts.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { Problem } from '#web/ui/problem.tsx';
import { Demo, DemoSection } from './demo.tsx';
import { ButtonDemos, FeatureDemos } from './feature-demos.tsx';
import { FieldDemos } from './field-demos.tsx';
import { OverlayDemos, PageDemos } from './page-demos.tsx';
/** Demo cards of every component in its states, for admins (§2). */
export function TestPage({ org, site }: SiteFrameData) {
  useEnglishAddress();
  return (
    <Page>
      <DocumentTitle parts={['Test', PROGRAM_NAME]} />
      <PageTitle>Test</PageTitle>
      <SiteTest />
      <ButtonDemos />
      <FieldDemos />
      <OverlayDemos />
      <PageDemos />
      <FeatureDemos org={org} site={site} />
    </Page>
  );
}

/** Runs the self-check (§7: POST /test). */
function SiteTest() {
  const api = useApi();
  const [report, setReport] = useState<TestReport>();
  const { busy, problem, run } = useAttempt();
  return (
    <DemoSection title="The program">
      <Demo title="Self-check" wide>
        <p>Tests the database and recomputes every ledger. It changes nothing.</p>
        <Cluster>
          <Button busy={busy} onClick={() => void run(async () => setReport(await api.call('runTest', {})))}>
            {busy ? 'Checking…' : 'Run the test'}
          </Button>
        </Cluster>
        <output>{report && <Report report={report} />}</output>
        <Problem>{problem}</Problem>
      </Demo>
    </DemoSection>
  );
}

function Report({ report }: { report: TestReport }) {
  const { databaseMilliseconds, ledgerDifferences, createdTimestamp } = report;
  return (
    <Facts>
      <Fact name="Database">Answered in {databaseMilliseconds} ms</Fact>
      <Fact name="Ledgers">
        {ledgerDifferences === 0
          ? 'No differences'
          : `${ledgerDifferences} differences: run “fund verify-ledger” on the server`}
      </Fact>
      <Fact name="Server time">{createdTimestamp}</Fact>
    </Facts>
  );
}
