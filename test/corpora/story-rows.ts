import { MAX_NAME_LENGTH, MAX_STORY_LENGTH } from '#domain/profile.ts';
import { addCheckout } from '#test/support/builders/checkout.ts';
import { createEditorialForm } from '#test/support/builders/editorial-form.ts';
import { createOffsetterForm } from '#test/support/builders/offsetter-form.ts';
import { createPhotoColumn } from '#test/support/builders/photo.ts';
import { createProfileForm } from '#test/support/builders/profile-form.ts';
import { addOffsetter, addStory } from '#test/support/builders/story.ts';
import { sendForm } from '#test/support/send-form.ts';
import {
  editorsListPage,
  type HostileCase,
  listPage,
  ORG_PATH,
  type StartedCase,
  singlePage,
  VALID_NAME,
  VALID_STORY,
} from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const NAME_FIELD = { fields: ['name'], maxLength: MAX_NAME_LENGTH, separator: ' ' };
const STORY_FIELD = { fields: ['story'], maxLength: MAX_STORY_LENGTH, separator: '\n' };
/** Stories to overwrite: as many as a list page shows. */
const POOL_SIZE = 50;
const INVALID_PHOTO = Buffer.from('no picture');
const REVIEW_PATH = `${ORG_PATH}/editor/offsetters`;

type StoryFields = { readonly name: string; readonly story: string };
type StoryKind = 'awardees' | 'installers';
type TextField = keyof StoryFields;

const buildFields = (field: TextField, text: string): StoryFields => ({
  name: VALID_NAME,
  story: VALID_STORY,
  [field]: text,
});

/** Case that creates an awardee or installer with each text. */
function buildCreateCase(call: 'createAwardee' | 'createInstaller', kind: StoryKind, field: TextField): HostileCase {
  const start = async (site: HostileSite): Promise<StartedCase> => {
    const storyIds: string[] = [];
    const send = async (text: string, position: number) => {
      const consent = kind === 'awardees' ? { consent: 'true' } : {};
      const form = createEditorialForm({ ...buildFields(field, text), ...consent, status: 'published' }, INVALID_PHOTO);
      const { status, body } = await sendForm(site.appUrl, call, {
        params: { orgid: 'sample' },
        as: await site.getEditor(),
        form,
      });
      if (status === 200) storyIds[position] = body.id;
      return status;
    };
    const storyPage = singlePage(
      (position) => `${ORG_PATH}/${kind}/${storyIds[position]}/`,
      field === 'story' ? 1 : 8 * POOL_SIZE,
    );
    return {
      send,
      pages:
        field === 'story'
          ? [storyPage]
          : [storyPage, listPage(`${ORG_PATH}/${kind}`), editorsListPage(`${ORG_PATH}/editor/${kind}`)],
    };
  };
  return { call, ...(field === 'name' ? NAME_FIELD : STORY_FIELD), start };
}

/** Case that overwrites one of the newest stories with each text. */
function buildEditCase(call: 'editAwardee' | 'editInstaller', kind: StoryKind, field: TextField): HostileCase {
  const start = async (site: HostileSite): Promise<StartedCase> => {
    const ids = await fillPool(() =>
      addStory(site.db, kind, 'sample', {
        photo: createPhotoColumn(),
        ...(kind === 'awardees' ? { consented_at: new Date() } : {}),
      }),
    );
    const idAt = (position: number) => ids[position % POOL_SIZE] ?? '';
    const send = async (text: string, position: number) => {
      const form = createEditorialForm(buildFields(field, text));
      const parts = { as: await site.getEditor(), form };
      const { status } =
        call === 'editAwardee'
          ? await sendForm(site.appUrl, call, { ...parts, params: { orgid: 'sample', awardeeid: idAt(position) } })
          : await sendForm(site.appUrl, call, { ...parts, params: { orgid: 'sample', installerid: idAt(position) } });
      return status;
    };
    const storyPage = singlePage((position) => `${ORG_PATH}/${kind}/${idAt(position)}/`);
    return { send, pages: field === 'story' ? [storyPage] : [editorsListPage(`${ORG_PATH}/editor/${kind}`)] };
  };
  return { call, ...(field === 'name' ? NAME_FIELD : STORY_FIELD), start };
}

/** Case that submits each text in the profile of a different gift. */
function buildSubmitCase(field: TextField): HostileCase {
  const start = async (site: HostileSite): Promise<StartedCase> => {
    const storyIds: string[] = [];
    const send = async (text: string, position: number) => {
      const paidColumns = { payment_status: 'paid', paid_at: new Date() } as const;
      const params = { orgid: 'sample', checkoutid: await addCheckout(site.db, 'sample', paidColumns) };
      const form = createProfileForm({
        checkoutId: params.checkoutid,
        fields: buildFields(field, text),
        photo: INVALID_PHOTO,
      });
      const { status, body } = await sendForm(site.appUrl, 'submitProfile', { params, form });
      if (status === 200) storyIds[position] = body.id;
      return status;
    };
    const storyPage = singlePage(
      (position) => `${ORG_PATH}/offsetters/${storyIds[position]}/`,
      field === 'story' ? 1 : 8 * POOL_SIZE,
    );
    return {
      send,
      pages:
        field === 'story' ? [storyPage] : [storyPage, listPage(`${ORG_PATH}/offsetters`), editorsListPage(REVIEW_PATH)],
    };
  };
  return { call: 'submitProfile', ...(field === 'name' ? NAME_FIELD : STORY_FIELD), start };
}

function buildEditOffsetterCase(field: TextField): HostileCase {
  const start = async (site: HostileSite): Promise<StartedCase> => {
    const ids = await fillPool(() => addOffsetter(site.db, 'sample', { photo: createPhotoColumn() }));
    const idAt = (position: number) => ids[position % POOL_SIZE] ?? '';
    const send = async (text: string, position: number) => {
      const params = { orgid: 'sample', offsetterid: idAt(position) };
      const form = createOffsetterForm(buildFields(field, text));
      return (await sendForm(site.appUrl, 'editOffsetter', { params, as: await site.getEditor(), form })).status;
    };
    const storyPage = singlePage((position) => `${ORG_PATH}/offsetters/${idAt(position)}/`);
    const editForm = {
      ...singlePage((position) => `${ORG_PATH}/.edit/offsetters/${idAt(position)}/`, 10),
      expectedText: () => '',
    };
    return { send, pages: field === 'story' ? [storyPage, editForm] : [editorsListPage(REVIEW_PATH)] };
  };
  return { call: 'editOffsetter', ...(field === 'name' ? NAME_FIELD : STORY_FIELD), start };
}

async function fillPool(addRecord: () => Promise<string>): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < POOL_SIZE; count += 1) ids.push(await addRecord());
  return ids;
}

export const STORY_ROWS: readonly HostileCase[] = (['name', 'story'] as const).flatMap((field) => [
  buildCreateCase('createAwardee', 'awardees', field),
  buildCreateCase('createInstaller', 'installers', field),
  buildEditCase('editAwardee', 'awardees', field),
  buildEditCase('editInstaller', 'installers', field),
  buildSubmitCase(field),
  buildEditOffsetterCase(field),
]);
