import { type ReactNode, useState } from 'react';
import type { TestReport } from '#contract/schemas/site.ts';
import { donationItem, offsetItem } from '#domain/cart.ts';
import { SITE_NAME } from '#domain/site-name.ts';
import { CartRow } from '#web/cart/cart-row.tsx';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useEnglishOnly } from '#web/navigation/use-english-only.ts';
import { useApi } from '#web/session/app-context.ts';
import { ProfileCard } from '#web/stories/profile-card.tsx';
import { type CardStory, SCENES } from '#web/stories/story-kinds.ts';
import { Button } from '#web/ui/button.tsx';
import { Cluster } from '#web/ui/layout.tsx';
import { Detail, DetailList, StatusMark } from '#web/ui/list-parts.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { pluralize } from '#web/ui/pluralize.ts';
import { Problem } from '#web/ui/problem.tsx';
import { ONCE, type Recurrence } from '#web/ui/recurrence-select.tsx';
import styles from './test-page.module.css';

/** Demo cards for admins (§2), and the self-check (§7: POST /test). */
export function TestPage() {
  useEnglishOnly();
  return (
    <Page>
      <DocumentTitle parts={['Test', SITE_NAME]} />
      <PageTitle>Test</PageTitle>
      <div className={styles.cards}>
        <SelfCheck />
        {STORIES.map((story) => (
          <Demo key={story.id} title={`Profile card: ${story.id} story`}>
            <ProfileCard profile={story} scene={SCENES.offsetters} headingLevel={3} sizes="400px" />
          </Demo>
        ))}
        <CartDemo />
        <Demo title="Buttons">
          <Cluster>
            {(['action', 'dark', 'outline', 'quiet', 'remove', 'danger'] as const).map((kind) => (
              <Button key={kind} kind={kind}>
                {kind}
              </Button>
            ))}
            <Button busy>busy</Button>
            <Button disabled>disabled</Button>
          </Cluster>
        </Demo>
        <Demo title="Status marks">
          <Cluster>
            {(['done', 'waiting', 'error', 'plain'] as const).map((tone) => (
              <StatusMark key={tone} tone={tone}>
                {tone}
              </StatusMark>
            ))}
          </Cluster>
        </Demo>
      </div>
    </Page>
  );
}

function Demo({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function SelfCheck() {
  const api = useApi();
  const [report, setReport] = useState<TestReport>();
  const { run, busy, problem } = useAttempt();
  const check = async () => setReport(await api.call('runTest', {}));
  return (
    <Demo title="Self-check">
      <p>Tests the database and recomputes every ledger, without changing anything.</p>
      <Button busy={busy} onClick={() => void run(check)}>
        {busy ? 'Checking…' : 'Run the test'}
      </Button>
      <output>{report && <Report report={report} />}</output>
      <Problem>{problem}</Problem>
    </Demo>
  );
}

function Report({ report: { databaseMilliseconds, ledgerDifferences, createdTimestamp } }: { report: TestReport }) {
  return (
    <DetailList>
      <Detail name="Database">Responded in {databaseMilliseconds} ms</Detail>
      <Detail name="Ledgers">
        {ledgerDifferences === 0
          ? 'No differences'
          : `${pluralize(ledgerDifferences, 'difference')}: run “fund verify-ledger” on the server`}
      </Detail>
      <Detail name="Server time">{createdTimestamp}</Detail>
    </DetailList>
  );
}

function CartDemo() {
  const [{ recurring, interval }, setRecurrence] = useState<Recurrence>(ONCE);
  const items = [offsetItem('air', 2150.4), { ...donationItem(25), recurring, recurringInterval: interval }];
  return (
    <Demo title="Cart rows">
      <ul>
        {items.map((item) => (
          <CartRow key={item.type} item={item} onRecurrenceChange={setRecurrence} onRemove={() => {}} />
        ))}
      </ul>
    </Demo>
  );
}

const STORIES: readonly CardStory[] = [
  { id: 'short', name: 'Ada', story: 'We walk.', photo: null, profileURL: '/test' },
  {
    id: 'long',
    name: 'A. Very-Long-Surname',
    story: 'We now take the train to see my parents. '.repeat(8),
    photo: null,
    profileURL: '/test',
  },
];
