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
  /** The address for a person who skips the setup. */
  skipAddress: string;
};

/** Replaces a page that needs a second step for a person who has none (decisions §4). */
export function SetUpSecondStep({ factors, skipAddress }: SetUpSecondStepProps) {
  const api = useApi();
  const session = useSessionStore();
  const [current, setCurrent] = useState(factors);
  const change = async () => {
    setCurrent(await api.call('readSecondFactors', {}));
    // The person's permissions have changed, so the requested page reloads and is shown.
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
          <ButtonLink kind="outline" to={skipAddress}>
            {m.later()}
          </ButtonLink>
        </p>
      </Stack>
    </Page>
  );
}
