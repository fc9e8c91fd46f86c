import { useState } from 'react';
import { pagePath } from '#contract/pages.ts';
import { m } from '#messages';
import { ApiProblem } from '#web/api/api-error.ts';
import { failureMessage } from '#web/api/failure-message.ts';
import { useNavigate } from '#web/navigation/use-navigator.ts';
import { useApi } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import styles from '#web/ui/message-page.module.css';
import { DocumentTitle, PageTitle } from '#web/ui/page.tsx';
import { useOnce } from '#web/ui/use-once.ts';

type CheckoutCompletePageProps = OrgPageProps & { checkoutId: string };

/** Marks a checkout complete, then opens its page (§2), which also handles unpaid checkouts. */
export function CheckoutCompletePage({ org, checkoutId }: CheckoutCompletePageProps) {
  const { problem, complete } = useCompleteCheckout(org.id, checkoutId);
  return (
    <div className={styles.message}>
      <DocumentTitle parts={[m.checkoutTitle(), org.name]} />
      <PageTitle>{problem === undefined ? m.oneMoment() : m.checkoutNotCompleted()}</PageTitle>
      <output>{problem ?? m.checkoutCompleting()}</output>
      {problem !== undefined && (
        <>
          <p>{m.checkoutSafe()}</p>
          <div className={styles.actions}>
            <Button kind="action" onClick={() => void complete()}>
              {m.tryAgain()}
            </Button>
            <ButtonLink kind="outline" to={pagePath('home-page', { orgid: org.id })}>
              {m.goHome()}
            </ButtonLink>
          </div>
        </>
      )}
    </div>
  );
}

function useCompleteCheckout(orgId: string, checkoutId: string) {
  const api = useApi();
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  const complete = async () => {
    const params = { orgid: orgId, checkoutid: checkoutId };
    setProblem(undefined);
    try {
      await api.call('completeCheckout', { params });
    } catch (error) {
      if (!isRejected(error)) return setProblem(failureMessage(error));
    }
    await navigate(pagePath('checkout-page', params), { replace: true });
  };
  useOnce(() => void complete());
  return { problem, complete };
}

/**
 * @returns whether the server rejected the call because the checkout is unpaid or missing; the checkout's page shows
 * which
 */
function isRejected(error: unknown): boolean {
  return error instanceof ApiProblem && error.status < 500;
}
