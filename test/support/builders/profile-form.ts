export const STORY = 'We fly to see our grandmother once a year, and want that to warm a home.';

export type ProfileParts = {
  readonly checkoutId?: string;
  readonly fields?: Readonly<Record<string, string | undefined>>;
  /** undefined for a form without a photo. */
  readonly photo?: Buffer | undefined;
  readonly fileName?: string;
  /** True if the photo precedes the texts. */
  readonly isPhotoFirst?: boolean;
};

/** The form that a donor sends after paying. Parts can be replaced, or omitted with `undefined`. */
export function createProfileForm({
  checkoutId,
  fields,
  photo,
  fileName = 'me.jpg',
  isPhotoFirst = false,
}: ProfileParts = {}): FormData {
  const form = new FormData();
  const addPhoto = () =>
    photo && form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), fileName);
  if (isPhotoFirst) addPhoto();
  const texts = { checkoutId, email: 'dora@example.org', name: 'Dora Donor', story: STORY, shownAs: 'full', ...fields };
  for (const [name, value] of Object.entries(texts)) if (value !== undefined) form.append(name, value);
  if (!isPhotoFirst) addPhoto();
  return form;
}
