import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type CellPage, storedCellName } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { LANGUAGES, type Language } from '#messages';
import type { StoredPhoto } from '#server/db/column-types.ts';
import { inLedgerTransaction } from '#server/db/transaction.ts';
import type { AppDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { presentPicture } from '#server/entities/present-profile.ts';
import { saveCellRow } from '#server/features/cells/cells.store.ts';
import { type Pictures, pictureAddress } from '#server/gateways/pictures/pictures.ts';
import { postSampleBooks } from './sample-books.ts';
import { createSampleProfiles, sampleHelp, samplePeople } from './sample-data.ts';
import { createSampleGifts } from './sample-gifts.ts';
import { sampleOrg } from './sample-org.ts';
import { insertOffsetters, insertOrg, insertPeople, insertPublishedProfiles } from './sample-rows.ts';

/** Creates the sample organization in one transaction unless it exists. Never called in production. */
export async function seedSample(deps: AppDeps): Promise<void> {
  const { db, pictures, now } = deps;
  if (await findOrg(db, sampleOrg.id)) return;
  console.log('Creating the sample organization…');
  const today = now();
  const offsetters = await storePhotos(pictures, createSampleProfiles('offsetters', today));
  const awardees = await storePhotos(pictures, createSampleProfiles('awardees', today));
  const installers = await storePhotos(pictures, createSampleProfiles('installers', today));
  const people = await storePhotos(pictures, samplePeople);
  const cells = await createSampleCells(deps, people);
  const gifts = createSampleGifts(today);
  const isCreated = await inLedgerTransaction(db, async (tx) => {
    if (!(await insertOrg(tx, gifts.at(0)?.givenAt ?? today))) return false;
    const editorId = await insertPeople(tx);
    for (const cell of cells) await saveCellRow(tx, { ...cell, created_at: today });
    await insertPublishedProfiles(tx, 'awardees', awardees);
    await insertPublishedProfiles(tx, 'installers', installers);
    await insertOffsetters(tx, offsetters, gifts);
    await postSampleBooks(tx, { deps, editorId, now: today }, gifts);
    return true;
  });
  if (isCreated) return;
  for (const { photo } of [...offsetters, ...awardees, ...installers, ...people]) await pictures.remove(photo.key);
}

const PICTURES_FOLDER = 'scripts/sample/pictures';

/** Stores each profile's picture like an uploaded photo. */
async function storePhotos<Person extends { readonly key: string }>(pictures: Pictures, profiles: readonly Person[]) {
  const profilesWithPhotos: (Person & { readonly photo: StoredPhoto })[] = [];
  for (const profile of profiles) {
    const photo = await pictures.store(await readFile(path.join(PICTURES_FOLDER, `${profile.key}.webp`)));
    if (photo instanceof Failure) throw photo;
    profilesWithPhotos.push({ ...profile, photo });
  }
  return profilesWithPhotos;
}

type SamplePerson = (typeof samplePeople)[number] & { readonly photo: StoredPhoto };

/** Texts that differ from the defaults: the people on the about page, and parts of the help page. */
async function createSampleCells({ markdownRenderer }: AppDeps, people: readonly SamplePerson[]) {
  const createCell = async (page: CellPage, name: string, language: Language, markdown: string) => {
    const html = await markdownRenderer.render(markdown, sampleOrg.id);
    if (html instanceof Failure) throw html;
    return { org_id: sampleOrg.id, page, name: storedCellName(name, language), markdown, html };
  };
  return Promise.all(
    LANGUAGES.flatMap((language) => [
      createCell('about', 'people', language, renderPeople(people, language)),
      ...Object.entries(sampleHelp).map(([name, text]) => createCell('help', name, language, text[language])),
    ]),
  );
}

function renderPeople(people: readonly SamplePerson[], language: Language): string {
  const texts = people.map((person) => {
    const { role, about } = person[language];
    return `### ${person.name}, ${role}\n\n![](${getPhotoUrl(person.photo)})\n\n${about}`;
  });
  return texts.join('\n\n');
}

function getPhotoUrl(photo: StoredPhoto): string {
  const picture = presentPicture(photo);
  if (!picture) throw new Error('A sample picture has no stored sizes.');
  return pictureAddress(picture);
}
