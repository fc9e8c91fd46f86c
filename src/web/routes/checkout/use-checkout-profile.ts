import { useEffect, useRef, useState } from 'react';
import type { Checkout, SubmittedProfile } from '#contract/schemas/checkouts.ts';
import type { ApiClient } from '#web/api/client.ts';
import { needsCompletion, type ProfileNews, stageOf } from './checkout-stage.ts';
import { forgetDraft } from './draft-storage.ts';
import { useProfileDraft } from './use-profile-draft.ts';
import { useSubmission } from './use-submission.ts';
import { type CheckoutKey, useWatchedCheckout } from './use-watched-checkout.ts';

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
export function useCheckoutProfile({ api, key, loaded, ownEmail, onPublished, onLost }: CheckoutProfileInput) {
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
