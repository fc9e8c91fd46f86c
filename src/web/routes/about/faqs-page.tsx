import { pagePath } from '#contract/pages.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { DocumentTitle, Page, PageTitle } from '#web/ui/page.tsx';
import { Faq } from './faq.tsx';
import type { FaqData } from './route.ts';

/** Questions and answers (§2). */
export function FaqsPage({ org, site, cells }: OrgFrame & FaqData) {
  return (
    <Page>
      <DocumentTitle parts={['FAQs', org.name]} />
      <PageTitle>FAQs</PageTitle>
      <Faq questions={cells.questions} address={site.publicUrl + pagePath('faqs-page', { orgid: org.id })} />
    </Page>
  );
}
