import { type FailureCode, sentenceOf } from '#domain/failures.ts';
import { ApiProblem } from '../../api/api-error.ts';
import { isProfileField, type ProfileDraft, type ProfileField } from './profile-draft.ts';
import type { CheckoutKey } from './use-watched-checkout.ts';

/** Why a profile was not taken, and the field that has to be mended where it is one's fault. */
export type Refusal = { readonly field: ProfileField | undefined; readonly message: string };

const ABOUT_THE_PHOTO: readonly FailureCode[] = [
  'no-file',
  'no-img',
  'photo-too-large',
  'photo-format',
  'photo-unreadable',
  'photo-too-many-pixels',
];

const TOO_LARGE = 413;

/**
 * What to say beside the form: a 4xx keeps it and all that was typed. Nothing for any other failure, after which the
 * checkout is treated as over (decisions §5).
 */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiProblem) || error.status < 400 || error.status >= 500) return undefined;
  const { field, code, status, title } = error;
  if (isProfileField(field)) return { field, message: title };
  if (ABOUT_THE_PHOTO.includes(code)) return { field: 'file', message: title };
  // Said by a proxy that stands before the program: only a photo can make the form too large.
  if (status === TOO_LARGE) return { field: 'file', message: sentenceOf('photo-too-large') };
  return { field: undefined, message: title };
}

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
