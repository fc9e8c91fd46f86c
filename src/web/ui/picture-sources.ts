import type { Picture } from '#contract/schemas/shared.ts';

/** The widths that a picture comes in, for the browser to choose from. */
export function srcSet(picture: Picture): string {
  return picture.sources.map(({ url, width }) => `${url} ${width}w`).join(', ');
}
