import { pagePath } from '#contract/pages.ts';
import { Faq } from '../features/faq/faq.tsx';
import type { FaqData, OrgFrame } from '../page-data.ts';
import { Page } from '../ui/page.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';

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
