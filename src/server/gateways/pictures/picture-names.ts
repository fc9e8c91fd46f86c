/** What `newId` makes: 128 bits in 22 characters. Nothing in it can lead out of a folder. */
const KEY = /^[\w-]{22}$/;

/** Whether a text can be the key of a kept picture. */
export function isPictureKey(key: string): boolean {
  return KEY.test(key);
}

/** The name of the file of one width; nothing where there can be none. */
export function pictureFileName(key: string, width: number): string | undefined {
  return isPictureKey(key) && Number.isSafeInteger(width) && width > 0 ? `${key}/${width}.webp` : undefined;
}
