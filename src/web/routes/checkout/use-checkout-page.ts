import { useEffect, useRef, useState } from 'react';
import type { Checkout, SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { profileFailure } from '#domain/profile-failures.ts';
import { m } from '#messages';
import type { ApiClient } from '#web/api/client.ts';
import { toFormError } from '#web/forms/form-errors.ts';
import { useAttempt } from '#web/forms/use-attempt.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { lastCheckoutStorage } from '#web/payment/last-checkout.ts';
import { recordPaidCheckout } from '#web/payment/paid-checkout.ts';
import { announceSettledPayment } from '#web/payment/settled-channel.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgPageProps } from '#web/site/page.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useOnce } from '#web/ui/use-once.ts';
import { type CheckoutStage, getStage, isPaidStage, type ProfileOutcome } from './checkout-stage.ts';
import { buildProfileForm, DRAFT_FIELDS, forgetDraft, useProfileDraft } from './profile-draft.ts';
import type { CheckoutData } from './route.ts';
import { type CheckoutKey, usePolledCheckout } from './use-polled-checkout.ts';

/** Tracks the payment and submits the profile (§4). Opens a published story; shows §8's alert if the upload was lost. */
export function useCheckoutPage({ org, site, checkout: initialCheckout, receiptKey }: OrgPageProps & CheckoutData) {
  const api = useApi();
  const toast = useToast();
  const navigator = useNavigator();
  const isMounted = useIsMounted();
  const { authenticated, email } = useSession();
  const accountEmail = authenticated ? email : undefined;
  const key: CheckoutKey = { orgId: org.id, checkoutId: initialCheckout.id, receiptKey };
  const { checkout, unreachable, read, setCheckout } = usePolledCheckout(key, initialCheckout);
  const profile = useProfileDraft(initialCheckout.id, accountEmail, checkout.donor?.name ?? '');
  const { run, ...submission } = useAttempt(DRAFT_FIELDS);
  const [outcome, setOutcome] = useState<ProfileOutcome>();
  const [showsAlert, setShowsAlert] = useState(false);
  const stage = getStage(checkout, outcome === 'lost');
  useCompletion(api, key, checkout);
  useDonorDetails(checkout, stage, read);
  const isPaid = isPaidStage(stage);
  useClearedForms(key, isPaid || stage === 'processing');
  useForgetFinishedCheckout(key, stage);
  useEffect(() => {
    if (isPaid) announceSettledPayment(org.id);
  }, [isPaid, org.id]);

  const submit = async () => {
    const form = buildProfileForm(key, profile.draft, profile.photo);
    const response = await run((onProgress) => sendProfile(api, key, form, onProgress));
    if (response?.result === 'lost') await onLost();
    else if (response) await onSubmitted(response.result);
  };
  const onSubmitted = async (newProfile: SubmittedProfile) => {
    forgetDraft(initialCheckout.id);
    if (newProfile.status !== 'published') {
      setOutcome('in-review');
      setCheckout({ ...checkout, completed: true, isOver: true, draft: newProfile });
      return;
    }
    lastCheckoutStorage(org.id).forget(initialCheckout.id);
    toast(m.storyLive());
    // Don't redirect a donor who opened another page during the upload.
    if (!isMounted.current) return;
    // Going back must not show the finished form again.
    navigator.forget();
    await navigator.go(newProfile.profileURL);
  };
  const onLost = async () => {
    setOutcome('lost');
    if (isMounted.current) setShowsAlert(true);
    else toast(profileFailure('profile-upload-failed', { email: site.contactEmail }).message);
    // The profile may have arrived even though the response was lost.
    const latestCheckout = await read().catch(() => undefined);
    if (latestCheckout?.isOver) forgetDraft(initialCheckout.id);
  };
  return {
    checkout,
    stage,
    outcome,
    unreachable,
    profile,
    submission: { ...submission, submit },
    accountEmail,
    showsAlert,
    /** Keeps other pages from asking for the story again. */
    decline: () => {
      lastCheckoutStorage(org.id).forget(initialCheckout.id);
      toast(m.checkoutThanksForGiving());
    },
    closeAlert: () => setShowsAlert(false),
    /** Reopens the form after a lost upload if the checkout is still open. @throws ApiProblem, OfflineError */
    tryAgain: async () => {
      await read();
      setOutcome(undefined);
    },
  };
}

/**
 * Throws if the server rejects the profile (4xx), so that the form shows why. After any other failure, or an empty
 * response (§7), the profile may or may not have arrived.
 */
async function sendProfile(
  api: ApiClient,
  { orgId, checkoutId }: CheckoutKey,
  form: FormData,
  onProgress: (fraction: number) => void,
): Promise<SubmittedProfile | 'lost'> {
  try {
    return (
      (await api.upload('submitProfile', { params: { orgid: orgId, checkoutid: checkoutId }, form, onProgress })) ||
      'lost'
    );
  } catch (error) {
    if (toFormError(error, DRAFT_FIELDS)) throw error;
    return 'lost';
  }
}

/** Loads the donor's details once, because the server renders this page without the browser's cookie. */
function useDonorDetails({ donor }: Checkout, stage: CheckoutStage, read: () => Promise<unknown>): void {
  const isMissing = isPaidStage(stage) && donor === undefined;
  // If the request fails, the page omits the donor's details.
  useOnce(() => void read().catch(() => undefined), isMissing);
}

/** Marks a checkout complete once, if the server requires it (§4). */
function useCompletion(api: ApiClient, { orgId, checkoutId }: CheckoutKey, { needsCompletion }: Checkout): void {
  const params = { orgid: orgId, checkoutid: checkoutId };
  // Nothing on this page depends on the call, and the next visit tries again.
  useOnce(() => void api.call('completeCheckout', { params }).catch(() => undefined), needsCompletion === true);
}

/** Clears the forms that the donor has just paid for, but not those that the donor filled in after an earlier payment. */
function useClearedForms({ orgId, checkoutId }: CheckoutKey, isPaid: boolean): void {
  useEffect(() => {
    if (isPaid && lastCheckoutStorage(orgId).read(Date.now())?.id === checkoutId) recordPaidCheckout(orgId, checkoutId);
  }, [orgId, checkoutId, isPaid]);
}

const UNFINISHED_STAGES: readonly CheckoutStage[] = ['confirming', 'processing', 'profile-form'];

/** Forgets a finished checkout, so that the page where it started doesn't show the result again. */
function useForgetFinishedCheckout({ orgId, checkoutId }: CheckoutKey, stage: CheckoutStage): void {
  const isFinished = !UNFINISHED_STAGES.includes(stage);
  useEffect(() => {
    if (isFinished) lastCheckoutStorage(orgId).forget(checkoutId);
  }, [orgId, checkoutId, isFinished]);
}

function useIsMounted() {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
