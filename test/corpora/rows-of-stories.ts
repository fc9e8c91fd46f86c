import { MAX_NAME_LENGTH, MAX_STORY_LENGTH } from '#domain/profile.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { editorialForm } from '#test/support/builders/editorial-form.ts';
import { offsetterForm } from '#test/support/builders/offsetter-form.ts';
import { photoColumn } from '#test/support/builders/photo.ts';
import { profileForm } from '#test/support/builders/profile-form.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { sendForm } from '#test/support/send-form.ts';
import { editorsListPage, type HostileRow, listPage, NAME, ORG, STORY, singlePage, type Trial } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const NAMES = { fields: ['name'], maxLength: MAX_NAME_LENGTH, separator: ' ' };
const STORIES = { fields: ['story'], maxLength: MAX_STORY_LENGTH, separator: '\n' };
/** Stories to overwrite: as many as a list page shows. */
const POOL_SIZE = 50;
const PHOTO = Buffer.from('no picture');
const REVIEW = `${ORG}/editor/offsetters`;

type StoryFields = { readonly name: string; readonly story: string };
type StoryKind = 'awardees' | 'installers';
type TextField = keyof StoryFields;

const fieldsWith = (field: TextField, text: string): StoryFields => ({ name: NAME, story: STORY, [field]: text });

/** Each text becomes a new awardee or installer. */
function createRow(call: 'createAwardee' | 'createInstaller', kind: StoryKind, field: TextField): HostileRow {
  const start = async (site: HostileSite): Promise<Trial> => {
    const storyIds: string[] = [];
    const send = async (text: string, place: number) => {
      const consent = kind === 'awardees' ? { consent: 'true' } : {};
      const form = editorialForm({ ...fieldsWith(field, text), ...consent, status: 'published' }, PHOTO);
      const { status, body } = await sendForm(site.base, call, {
        params: { orgid: 'sample' },
        as: await site.editor(),
        form,
      });
      if (status === 200) storyIds[place] = body.id;
      return status;
    };
    const storyPages = singlePage(
      (place) => `${ORG}/${kind}/${storyIds[place]}/`,
      field === 'story' ? 1 : 8 * POOL_SIZE,
    );
    return {
      send,
      pages:
        field === 'story'
          ? [storyPages]
          : [storyPages, listPage(`${ORG}/${kind}`), editorsListPage(`${ORG}/editor/${kind}`)],
    };
  };
  return { call, ...(field === 'name' ? NAMES : STORIES), start };
}

/** Each text overwrites one of the newest stories. */
function editRow(call: 'editAwardee' | 'editInstaller', kind: StoryKind, field: TextField): HostileRow {
  const start = async (site: HostileSite): Promise<Trial> => {
    const ids = await fillPool(() =>
      addStory(site.db, kind, 'sample', {
        photo: photoColumn(),
        ...(kind === 'awardees' ? { consented_at: new Date() } : {}),
      }),
    );
    const idAt = (place: number) => ids[place % POOL_SIZE] ?? '';
    const send = async (text: string, place: number) => {
      const form = editorialForm(fieldsWith(field, text));
      const parts = { as: await site.editor(), form };
      const { status } =
        call === 'editAwardee'
          ? await sendForm(site.base, call, { ...parts, params: { orgid: 'sample', awardeeid: idAt(place) } })
          : await sendForm(site.base, call, { ...parts, params: { orgid: 'sample', installerid: idAt(place) } });
      return status;
    };
    const storyPages = singlePage((place) => `${ORG}/${kind}/${idAt(place)}/`);
    return { send, pages: field === 'story' ? [storyPages] : [editorsListPage(`${ORG}/editor/${kind}`)] };
  };
  return { call, ...(field === 'name' ? NAMES : STORIES), start };
}

/** Each text goes into the profile of a different gift. */
function submitRow(field: TextField): HostileRow {
  const start = async (site: HostileSite): Promise<Trial> => {
    const storyIds: string[] = [];
    const send = async (text: string, place: number) => {
      const paidColumns = { payment_status: 'paid', paid_at: new Date() } as const;
      const params = { orgid: 'sample', checkoutid: await addCheckout(site.db, 'sample', paidColumns) };
      const form = profileForm({ checkoutId: params.checkoutid, fields: fieldsWith(field, text), photo: PHOTO });
      const { status, body } = await sendForm(site.base, 'submitProfile', { params, form });
      if (status === 200) storyIds[place] = body.id;
      return status;
    };
    const storyPages = singlePage(
      (place) => `${ORG}/offsetters/${storyIds[place]}/`,
      field === 'story' ? 1 : 8 * POOL_SIZE,
    );
    return {
      send,
      pages: field === 'story' ? [storyPages] : [storyPages, listPage(`${ORG}/offsetters`), editorsListPage(REVIEW)],
    };
  };
  return { call: 'submitProfile', ...(field === 'name' ? NAMES : STORIES), start };
}

function editOffsetterRow(field: TextField): HostileRow {
  const start = async (site: HostileSite): Promise<Trial> => {
    const ids = await fillPool(() => addOffsetter(site.db, 'sample', { photo: photoColumn() }));
    const idAt = (place: number) => ids[place % POOL_SIZE] ?? '';
    const send = async (text: string, place: number) => {
      const params = { orgid: 'sample', offsetterid: idAt(place) };
      const form = offsetterForm(fieldsWith(field, text));
      return (await sendForm(site.base, 'editOffsetter', { params, as: await site.editor(), form })).status;
    };
    const storyPages = singlePage((place) => `${ORG}/offsetters/${idAt(place)}/`);
    const editForm = {
      ...singlePage((place) => `${ORG}/.edit/offsetters/${idAt(place)}/`, 10),
      expectedText: () => '',
    };
    return { send, pages: field === 'story' ? [storyPages, editForm] : [editorsListPage(REVIEW)] };
  };
  return { call: 'editOffsetter', ...(field === 'name' ? NAMES : STORIES), start };
}

async function fillPool(addRecord: () => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < POOL_SIZE; count += 1) ids.push(await addRecord());
  return ids;
}

export const ROWS_OF_STORIES: readonly HostileRow[] = (['name', 'story'] as const).flatMap((field) => [
  createRow('createAwardee', 'awardees', field),
  createRow('createInstaller', 'installers', field),
  editRow('editAwardee', 'awardees', field),
  editRow('editInstaller', 'installers', field),
  submitRow(field),
  editOffsetterRow(field),
]);
