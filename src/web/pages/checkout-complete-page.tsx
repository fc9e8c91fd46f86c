import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { pagePath } from '#contract/pages.ts';
import { useApi } from '../app-context.ts';
import type { OrgFrame } from '../page-data.ts';
import { Page } from '../ui/page.tsx';
import { PageTitle } from '../ui/page-title.tsx';

/** Marks the checkout complete, then goes to its page (§2). */
export function CheckoutCompletePage({ org, checkoutId }: OrgFrame & { checkoutId: string }) {
  const api = useApi();
  const navigate = useNavigate();
  useEffect(() => {
    const params = { orgid: org.id, checkoutid: checkoutId };
    const goOn = () => navigate({ to: pagePath('checkout-page', params), replace: true });
    void api.call('completeCheckout', { params }).then(goOn, goOn);
  }, [api, navigate, org.id, checkoutId]);
  return (
    <Page>
      <PageTitle>One moment…</PageTitle>
    </Page>
  );
}
