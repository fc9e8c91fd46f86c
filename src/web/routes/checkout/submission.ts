import type { ProfileDraft } from './profile-draft.ts';
import type { CheckoutKey } from './use-watched-checkout.ts';

/** The multipart form of §7. Whoever is not to be shown sends an address alone (decisions §5). */
export function formOf(
  { orgid, checkoutid, receipt }: CheckoutKey,
  draft: ProfileDraft,
  photo: File | undefined,
): FormData {
  const form = new FormData();
  form.set('checkoutId', checkoutid);
  form.set('orgid', orgid);
  form.set('email', draft.email);
  form.set('shownAs', draft.shownAs);
  if (receipt !== undefined) form.set('receipt', receipt);
  if (draft.shownAs === 'none') return form;
  form.set('name', draft.name);
  form.set('story', draft.story);
  // Last, so that whoever reads the form knows all the rest before the bytes come.
  if (photo) form.set('file', photo);
  return form;
}
