import { STORY } from './profile-form.ts';

/** The form for editing an offsetter. Fields can be replaced, or omitted with `undefined`. */
export function createOffsetterForm(
  fields: Readonly<Record<string, string | undefined>> = {},
  photo?: Buffer,
): FormData {
  const form = new FormData();
  const texts = { name: 'Dora Donor', story: STORY, ...fields };
  for (const [name, value] of Object.entries(texts)) if (value !== undefined) form.append(name, value);
  if (photo) form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'me.jpg');
  return form;
}
