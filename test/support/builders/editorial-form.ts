import { STORY } from './profile-form.ts';

/** An awardee's or installer's form. Fields can be replaced, or omitted with `undefined`. */
export function createEditorialForm(
  fields: Readonly<Record<string, string | undefined>> = {},
  photo?: Buffer,
): FormData {
  const form = new FormData();
  const texts = { name: 'Anna Awarded', story: STORY, ...fields };
  for (const [name, value] of Object.entries(texts)) if (value !== undefined) form.append(name, value);
  if (photo) form.append('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'home.jpg');
  return form;
}
