import { useEffect, useRef, useState } from 'react';
import type { Checkout, SubmittedProfile } from '#contract/schemas/checkouts.ts';
import { sentenceOf } from '#domain/failures.ts';
import { type Refusal, refusalOf } from '#web/api/api-error.ts';
import type { ApiClient } from '#web/api/client.ts';
import { useNavigator } from '#web/navigation/use-navigator.ts';
import { checkoutKeeperOf } from '#web/payment/use-kept-checkout.ts';
import { useApi, useSession } from '#web/session/app-context.ts';
import type { OrgFrame } from '#web/site/page.ts';
import { useToast } from '#web/ui/toast.tsx';
import { type CheckoutStage, needsCompletion, type ProfileNews, stageOf } from './checkout-stage.ts';
import {
  forgetDraft,
  formOf,
  PROFILE_FIELDS,
  type ProfileDraft,
  type ProfileField,
  useProfileDraft,
} from './profile-draft.ts';
import type { CheckoutData } from './route.ts';
import { type CheckoutKey, useWatchedCheckout } from './watch-payment.ts';

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

type CheckoutProfileInput = {
  readonly api: ApiClient;
  readonly key: CheckoutKey;
  /** The checkout as it was when the page was loaded. */
  readonly loaded: Checkout;
  /** The address of whoever is signed in, which stands in the place of a typed one (§2). */
  readonly ownEmail: string | undefined;
  /** Called with a profile that everybody can see. */
  readonly onPublished: (profile: SubmittedProfile) => void;
  readonly onLost: () => void;
};

/** Everything that happens to a checkout after paying: its payment is followed, its profile typed and submitted. */
function useCheckoutProfile({ api, key, loaded, ownEmail, onPublished, onLost }: CheckoutProfileInput) {
  const watched = useWatchedCheckout(api, key, loaded);
  const [news, setNews] = useState<ProfileNews>();
  const profile = useProfileDraft(key.checkoutid, ownEmail);
  const { submit: send, mend, sent, refusal } = useSubmission(api, key);
  const { checkout } = watched;
  useCompletion(api, key, checkout);

  const submit = async () => {
    const outcome = await send(profile.draft, profile.photo);
    if (outcome?.kind === 'submitted') take(outcome.profile);
    if (outcome?.kind === 'lost') await lose();
  };
  const take = (submitted: SubmittedProfile) => {
    forgetDraft(key.checkoutid);
    const { status, shownAs } = submitted;
    const isShown = shownAs !== 'none';
    if (status === 'published' && isShown) return onPublished(submitted);
    setNews(isShown ? 'sent' : 'not-shown');
    watched.put({ ...checkout, completed: true, over: true, draft: isShown ? submitted : null });
  };
  const lose = async () => {
    setNews('lost');
    onLost();
    // It may have arrived all the same, with only its answer lost.
    const now = await watched.read().catch(() => undefined);
    if (now?.over) forgetDraft(key.checkoutid);
  };
  /** After a lost upload: asks where the checkout stands, and opens the form again where it is open. @throws as read */
  const tryAgain = async () => {
    await watched.read();
    setNews(undefined);
  };
  return {
    ...watched,
    news,
    stage: stageOf(checkout, news === 'lost'),
    profile,
    submission: { sent, refusal, submit, mend },
    tryAgain,
  };
}

/** A checkout whose profile is there is marked as completed, once, if it is not yet (§4). */
function useCompletion(api: ApiClient, { orgid, checkoutid }: CheckoutKey, checkout: Checkout): void {
  const due = needsCompletion(checkout);
  const called = useRef(false);
  useEffect(() => {
    if (!due || called.current) return;
    called.current = true;
    // It changes nothing that is shown here; whoever comes next makes the call again.
    api.call('completeCheckout', { params: { orgid, checkoutid } }).catch(() => undefined);
  }, [api, due, orgid, checkoutid]);
}

export type SubmissionState = {
  /** How much is sent, from 0 to 1; nothing while nothing is being sent. */
  readonly sent: number | undefined;
  readonly refusal: Refusal<ProfileField> | undefined;
};

/** What became of a submission. lost: nobody knows whether it arrived. */
type SubmissionOutcome =
  | { readonly kind: 'submitted'; readonly profile: SubmittedProfile }
  | { readonly kind: 'refused' }
  | { readonly kind: 'lost' };

const RESTING: SubmissionState = { sent: undefined, refusal: undefined };

/** Sends a profile, one at a time. */
function useSubmission(api: ApiClient, key: CheckoutKey) {
  const [state, setState] = useState(RESTING);
  // Two clicks can come before the first is drawn as a disabled button.
  const busy = useRef(false);
  const submit = async (draft: ProfileDraft, photo: File | undefined): Promise<SubmissionOutcome | undefined> => {
    if (busy.current) return undefined;
    busy.current = true;
    setState({ sent: 0, refusal: undefined });
    const outcome = await send(api, key, formOf(key, draft, photo), (sent) => setState({ sent, refusal: undefined }));
    busy.current = false;
    setState({ sent: undefined, refusal: outcome.kind === 'refused' ? outcome.refusal : undefined });
    return outcome;
  };
  /** To be called when a field is changed: what was refused of it, or of the form, no longer stands. */
  const mend = (field: ProfileField) =>
    setState((before) =>
      before.refusal && (before.refusal.field ?? field) === field ? { ...before, refusal: undefined } : before,
    );
  return { ...state, submit, mend };
}

async function send(
  api: ApiClient,
  { orgid, checkoutid }: CheckoutKey,
  form: FormData,
  onProgress: (fraction: number) => void,
): Promise<Exclude<SubmissionOutcome, { kind: 'refused' }> | { kind: 'refused'; refusal: Refusal<ProfileField> }> {
  try {
    const profile = await api.upload('submitProfile', { params: { orgid, checkoutid }, form, onProgress });
    // An empty answer is a failure (§7).
    return profile ? { kind: 'submitted', profile } : { kind: 'lost' };
  } catch (error) {
    const refusal = refusalOf(error, PROFILE_FIELDS);
    return refusal ? { kind: 'refused', refusal } : { kind: 'lost' };
  }
}
