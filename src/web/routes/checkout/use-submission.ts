import { useRef, useState } from 'react';
import type { SubmittedProfile } from '#contract/schemas/checkouts.ts';
import type { ApiClient } from '#web/api/client.ts';
import { type Refusal, refusalOf } from '#web/api/refusal.ts';
import { PROFILE_FIELDS, type ProfileDraft, type ProfileField } from './profile-draft.ts';
import { formOf } from './submission.ts';
import type { CheckoutKey } from './use-watched-checkout.ts';

export type SubmissionState = {
  /** How much is sent, from 0 to 1; nothing while nothing is being sent. */
  readonly sent: number | undefined;
  readonly refusal: Refusal<ProfileField> | undefined;
};

/** What became of a submission. lost: nobody knows whether it arrived. */
export type SubmissionOutcome =
  | { readonly kind: 'submitted'; readonly profile: SubmittedProfile }
  | { readonly kind: 'refused' }
  | { readonly kind: 'lost' };

const RESTING: SubmissionState = { sent: undefined, refusal: undefined };

/** Sends a profile, one at a time. */
export function useSubmission(api: ApiClient, key: CheckoutKey) {
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
