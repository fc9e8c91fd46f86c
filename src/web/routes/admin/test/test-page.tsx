import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { SiteFrameData } from '#web/site/page.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { ButtonDemos } from './button-demos.tsx';
import { FeatureDemos } from './feature-demos.tsx';
import { FieldDemos } from './field-demos.tsx';
import { OverlayDemos } from './overlay-demos.tsx';
import { PageDemos } from './page-demos.tsx';
import { SiteTest } from './site-test.tsx';

/** Demo cards of every component in its states, for admins (§2). */
export function TestPage({ org, site }: SiteFrameData) {
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
