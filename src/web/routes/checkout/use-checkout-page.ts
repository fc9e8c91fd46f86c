import { useEffect, useRef, useState } from 'react';
import type { SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { sentenceOf } from '#domain/failures.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { checkoutKeeperOf } from '#web/payment/use-kept-checkout.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { CheckoutStage } from './checkout-stage.ts';
import type { CheckoutData } from './route.ts';
import { useCheckoutProfile } from './use-checkout-profile.ts';

/** What happens on the checkout page, and where it leads: to the new offsetter page, or to the alert of §8. */
export function useCheckoutPage({ org, site, checkout, receipt }: OrgFrame & CheckoutData) {
  const toast = useToast();
  const goToStory = useGoToStory();
  const here = useHere();
  const [alerting, setAlerting] = useState(false);
  const { authenticated, email } = useSession();
  const ownEmail = authenticated ? email : undefined;
  const profile = useCheckoutProfile({
    api: useApi(),
    key: { orgid: org.id, checkoutid: checkout.id, receipt },
    loaded: checkout,
    ownEmail,
    // Whoever went on to another page while the photo was being sent is told, but stays there.
    onPublished: (published) => {
      checkoutKeeperOf(org.id).forget(checkout.id);
      toast('Your story is published. Thank you!');
      if (here.current) void goToStory(published);
    },
    onLost: () => {
      if (here.current) setAlerting(true);
      else toast(sentenceOf('profile-upload-failed', { email: site.contactEmail }));
    },
  });
  useFinished(org.id, profile.checkout.id, profile.stage);
  return { ...profile, ownEmail, alerting, closeAlert: () => setAlerting(false) };
}

/** What is told here for good need not be told again on the page that the checkout was begun from. */
function useFinished(orgId: string, checkoutId: string, stage: CheckoutStage): void {
  const isFinished = !UNFINISHED.includes(stage);
  useEffect(() => {
    if (isFinished) checkoutKeeperOf(orgId).forget(checkoutId);
  }, [orgId, checkoutId, isFinished]);
}

const UNFINISHED: readonly CheckoutStage[] = ['confirming', 'processing', 'asking'];

/** Leads to a new offsetter page (§4). */
function useGoToStory() {
  const navigator = useNavigator();
  return async ({ profileURL }: SubmittedProfile) => {
    // What was loaded shows a form that is done with: a way back has to ask anew.
    navigator.forget();
    await navigator.go(profileURL);
  };
}

/** Whether the page is still the one that is shown. */
function useHere() {
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}
