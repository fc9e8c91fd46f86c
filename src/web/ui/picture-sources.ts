import type { Picture } from '#contract/schemas/shared.ts';

export function buildSrcSet(picture: Picture): string {
  return picture.sources.map(({ url, width }) => `${url} ${width}w`).join(', ');
}
