import type { Element } from 'hast';
import type { Picture } from '#contract/schemas/shared.ts';

/** A kept picture as a text names it: where it is served, and behind a hash how large it is. */
const ADDRESS = /^(\/media\/[\w-]{22}\/\d{1,5}\.webp)#(\d{1,5})x(\d{1,5})$/;

/** What a text names a picture by. With its size, so that nothing on the page moves when it comes. */
export function pictureAddress({ url, width, height }: Pick<Picture, 'url' | 'width' | 'height'>): string {
  return `${url}#${width}x${height}`;
}

/** Gives a picture of this site the size that its address names; it is fetched when a reader comes near it. */
export function giveSize(image: Element): void {
  const [, src, width, height] = ADDRESS.exec(String(image.properties.src ?? '')) ?? [];
  if (src === undefined) return;
  image.properties = { ...image.properties, src, width: Number(width), height: Number(height), loading: 'lazy' };
}
