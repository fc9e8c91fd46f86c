import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { sampleAwardees } from '#scripts/sample/sample-awardees.ts';
import { sampleInstallers } from '#scripts/sample/sample-installers.ts';
import { sampleOffsetters } from '#scripts/sample/sample-offsetters.ts';
import { sceneSvg } from '#scripts/sample/scenes.ts';

export const SAMPLE_PICTURES = 'build/sample';

/** Draws a photo for everybody in the sample organisation, to be uploaded like anybody's. */
export async function buildSamplePictures(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const anyDay = new Date(0);
  const people = [...sampleOffsetters(anyDay), ...sampleAwardees(anyDay), ...sampleInstallers(anyDay)];
  for (const { key, scene } of people) {
    const photo = await sharp(Buffer.from(sceneSvg(key, scene)))
      .jpeg({ quality: 90 })
      .toBuffer();
    await writeFile(path.join(folder, `${key}.jpg`), photo);
  }
}
