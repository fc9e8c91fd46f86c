import { buffer } from 'node:stream/consumers';
import { newId } from '#server/db/new-id.ts';
import { checkFileSteps, type SettingCheck } from '#server/gateways/check.ts';
import type { PictureFiles } from './picture-files.ts';

/** Writes a small file, reads it back, and deletes it. @param advice instructions for the operator if that fails */
export async function checkFiles(files: PictureFiles, subject: string, advice: string): Promise<SettingCheck> {
  const key = `checked-${newId()}`;
  const bytes = Buffer.from(key);
  const undo = () => files.removeAll(key);
  return checkFileSteps(
    subject,
    [
      ['written', () => files.put(`${key}/1.webp`, bytes)],
      ['read', () => readBack(files, `${key}/1.webp`, bytes)],
      ['deleted', undo],
    ],
    { undo, advice },
  );
}

async function readBack(files: PictureFiles, name: string, bytes: Buffer): Promise<void> {
  const file = await files.get(name);
  if (!file || !(await buffer(file.stream)).equals(bytes)) throw new Error('different content');
}
