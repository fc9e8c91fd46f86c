import { PROGRAM_NAME } from '#domain/program-name.ts';
import type { SiteFrameData } from '../page-data.ts';
import { Page } from '../ui/page.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';
import { ButtonDemos } from './demos/button-demos.tsx';
import { FeatureDemos } from './demos/feature-demos.tsx';
import { FieldDemos } from './demos/field-demos.tsx';
import { OverlayDemos } from './demos/overlay-demos.tsx';
import { PageDemos } from './demos/page-demos.tsx';
import { SiteTest } from './demos/site-test.tsx';

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
