import { buffer } from 'node:stream/consumers';
import { type Check, kindOf, ok, wrong } from '#server/gateways/check.ts';
import { newId } from '#server/ids.ts';
import { BucketUnavailable, type PictureFiles } from './picture-files.ts';

/** Writes a small file, reads it back and deletes it. @param advice what to do if that fails */
export async function checkFiles(files: PictureFiles, subject: string, advice: string): Promise<Check> {
  const key = `checked-${newId()}`;
  const bytes = Buffer.from(key);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['written', () => files.put(`${key}/1.webp`, bytes)],
    ['read', () => readBack(files, `${key}/1.webp`, bytes)],
    ['deleted', () => files.removeAll(key)],
  ];
  for (const [step, run] of steps) {
    try {
      await run();
    } catch (error) {
      if (step === 'read') await files.removeAll(key).catch(() => undefined);
      return wrong(
        subject,
        `a file cannot be ${step} (${error instanceof BucketUnavailable ? error.reason : kindOf(error)}). ${advice}`,
      );
    }
  }
  return ok(subject, 'a file was written, read and deleted.');
}

async function readBack(files: PictureFiles, name: string, bytes: Buffer): Promise<void> {
  const file = await files.get(name);
  if (!file || !(await buffer(file.stream)).equals(bytes)) throw new Error('another file');
}
