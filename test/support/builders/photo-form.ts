/** A form with just a picture. */
export function createPhotoForm(photo?: Buffer): FormData {
  const form = new FormData();
  if (photo) form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'picture.jpg');
  return form;
}
