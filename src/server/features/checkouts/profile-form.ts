import type { FastifyRequest } from 'fastify';
import { type ProfileFields, profileFields } from '#contract/schemas/checkouts.ts';
import { type PhotoForm, readPhotoForm } from '#server/http/photo-form.ts';

export type ProfileForm = PhotoForm<ProfileFields>;

/** §7 calls it checkoutid, the form's other names are in camel case: both are taken. */
const OTHER_NAMES = { checkoutid: 'checkoutId' };

/**
 * Reads the form of a submitted profile.
 * @throws Failure unsupported-media-type, invalid-input, photo-too-large
 */
export function readProfileForm(request: FastifyRequest): Promise<ProfileForm> {
  return readPhotoForm(request, profileFields, OTHER_NAMES);
}
