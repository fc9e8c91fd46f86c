import { useState } from 'react';
import type { SecondFactors } from '#contract/schemas/session.ts';
import { PROGRAM_NAME } from '#domain/program-name.ts';
import { m } from '#messages';
import { useApi, useSessionStore } from '#web/session/app-context.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, Stack } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { SecondStepPanel } from './second-step-panel.tsx';

type SetUpSecondStepProps = {
  factors: SecondFactors;
  /** Where the person can go without it. */
  later: string;
};

/** Shown in place of a page that needs a second step, to someone who has shown none (decisions §4). */
export function SetUpSecondStep({ factors, later }: SetUpSecondStepProps) {
  const api = useApi();
  const session = useSessionStore();
  const [current, setCurrent] = useState(factors);
  const change = async () => {
    setCurrent(await api.call('readSecondFactors', {}));
    // What the person may do has changed: the page loads anew, and is the one that was asked for.
    await session.refreshClaims();
  };
  return (
    <Page narrow>
      <DocumentTitle parts={[m.secondStepSetUp(), PROGRAM_NAME]} />
      <PageTitle>{m.secondStepSetUp()}</PageTitle>
      <Stack>
        <p>{m.secondStepNeeded()}</p>
        <Card>
          <SecondStepPanel factors={current} onChange={change} />
        </Card>
        <p>
          <ButtonLink kind="outline" to={later}>
            {m.later()}
          </ButtonLink>
        </p>
      </Stack>
    </Page>
  );
}
