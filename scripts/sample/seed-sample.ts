import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '#domain/failures.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import type { Pictures } from '#server/gateways/pictures/pictures.ts';
import { postSampleBooks } from './sample-books.ts';
import { type PicturedProfile, type SampleProfile, sampleProfiles } from './sample-data.ts';
import { sampleGifts } from './sample-gifts.ts';
import { sampleOrg } from './sample-org.ts';
import { insertOffsetters, insertOrg, insertPeople, insertPublished } from './sample-rows.ts';

/** Creates the sample organization in one transaction unless it exists. Never called in production. */
export async function seedSample(deps: AppDeps): Promise<void> {
  const { db, pictures, now } = deps;
  if (await findOrg(db, sampleOrg.id)) return;
  console.log('Creating the sample organization …');
  const today = now();
  const offsetters = await withPhotos(pictures, sampleProfiles('offsetters', today));
  const awardees = await withPhotos(pictures, sampleProfiles('awardees', today));
  const installers = await withPhotos(pictures, sampleProfiles('installers', today));
  const gifts = sampleGifts(today);
  const isMade = await inTransaction(db, async (tx) => {
    if (!(await insertOrg(tx, gifts.at(0)?.at ?? today))) return false;
    const editorId = await insertPeople(tx);
    await insertPublished(tx, 'awardees', awardees);
    await insertPublished(tx, 'installers', installers);
    await insertOffsetters(tx, offsetters, gifts);
    await postSampleBooks(tx, { deps, editorId, at: today }, gifts);
    return true;
  });
  if (isMade) return;
  for (const { photo } of [...offsetters, ...awardees, ...installers]) await pictures.remove(photo.key);
}

const PICTURES = 'scripts/sample/pictures';

/** Stores the pictures the way uploaded photos are stored. */
async function withPhotos(pictures: Pictures, profiles: readonly SampleProfile[]): Promise<PicturedProfile[]> {
  const pictured: PicturedProfile[] = [];
  for (const profile of profiles) {
    const photo = await pictures.store(await readFile(path.join(PICTURES, `${profile.key}.webp`)));
    if (photo instanceof Failure) throw photo;
    pictured.push({ ...profile, photo });
  }
  return pictured;
}
