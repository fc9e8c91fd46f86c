import { SITE_NAME } from '#domain/site-name.ts';
import { m } from '#messages';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card, Stack } from '#web/ui/layout.tsx';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { SecondStepPanel } from './second-step-panel.tsx';

/**
 * Replaces a page that requires a second step, for a person who has not set one up (decisions §4).
 * @param skipAddress the address for a person who skips the setup
 */
export function SetUpSecondStep({ skipAddress }: { skipAddress: string }) {
  return (
    <Page narrow>
      <DocumentTitle parts={[m.secondStepSetUp(), SITE_NAME]} />
      <PageTitle>{m.secondStepSetUp()}</PageTitle>
      <Stack>
        <p>{m.secondStepNeeded()}</p>
        <Card>
          <SecondStepPanel />
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
