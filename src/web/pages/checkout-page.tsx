import { Link } from '@tanstack/react-router';
import type { CheckoutData, OrgFrame } from '../page-data.ts';
import { CellText } from '../ui/markdown.tsx';
import { Page } from '../ui/page.tsx';
import { DocumentTitle, PageTitle } from '../ui/page-title.tsx';

/** What a payer comes back to (§2). */
export function CheckoutPage({ org, checkout, cells }: OrgFrame & CheckoutData) {
  return (
    <Page>
      <DocumentTitle parts={['Checkout', org.name]} />
      <PageTitle>Thank you for offsetting!</PageTitle>
      <CellText html={cells.thanks.html} />
      {checkout.offsetterURL && <Link to={checkout.offsetterURL}>See your story</Link>}
    </Page>
  );
}
