import { MAX_REASON_LENGTH } from '#contract/schemas/orgs.ts';
import { MAX_TAG_LENGTH } from '#domain/org.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import {
  asTyped,
  editorsListPage,
  type HostileRow,
  NAME,
  ORG,
  type ShownPage,
  singlePage,
  type Trial,
} from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const NAMES = { fields: ['name'], maxLength: MAX_NAME_LENGTH, separator: ' ' };
const PLACES = { fields: ['place'], maxLength: MAX_NAME_LENGTH, separator: ' ' };
const TAGS = { fields: ['tag'], maxLength: MAX_TAG_LENGTH, separator: ' ' };

type OrgTextField = 'name' | 'tag' | 'place';

/** Organizations to overwrite: as many as the admin page shows. */
const POOL_SIZE = 50;

async function createTrial(site: HostileSite, field: OrgTextField): Promise<Trial> {
  const orgIds: string[] = [];
  const send = async (text: string, place: number) => {
    const body = {
      name: NAME,
      tag: NAME,
      [field]: text,
      slug: `made-${field}-${place}`,
      email: 'everything@example.org',
    };
    const response = await call(site.app, 'createOrg', { params: {}, as: await site.editor(), body });
    if (response.statusCode === 200) orgIds[place] = response.json<{ id: string }>().id;
    return response.statusCode;
  };
  const pages = [singlePage((place) => `/orgs/${orgIds[place]}`, 4 * POOL_SIZE)];
  return { send, pages: field === 'name' ? [...pages, editorsListPage('/admin')] : pages };
}

async function editTrial(site: HostileSite, field: OrgTextField): Promise<Trial> {
  const ids: string[] = [];
  for (let count = 0; count < POOL_SIZE; count += 1) ids.push(await addOrg(site.db));
  const { userId } = await site.editor();
  for (const id of ids) await addEditor(site.db, id, userId);
  const idAt = (place: number) => ids[place % POOL_SIZE] ?? '';
  const send = async (text: string, index: number) => {
    const params = { orgid: idAt(index) };
    const body = { [field]: text };
    return (await call(site.app, 'editOrg', { params, as: await site.editor(), body })).statusCode;
  };
  const home = (place: number) => `/orgs/${idAt(place)}`;
  // These texts appear on every page of the organization; this page is rendered for each request.
  const frameView: ShownPage = {
    addressAt: (place) => `${home(place)}/checkouts/none`,
    method: 'parse',
    capacity: 8,
    showsOneText: true,
  };
  return {
    send,
    pages:
      field === 'name' ? [singlePage(home, POOL_SIZE), editorsListPage('/admin')] : [singlePage(home, 10), frameView],
  };
}

/** The reason for a stats change, shown to editors. */
async function reasonTrial(site: HostileSite): Promise<Trial> {
  const send = async (reason: string, place: number) => {
    const body = { stats: { funds: place + 1 }, reason };
    const params = { orgid: 'sample' };
    return (await call(site.app, 'editOrg', { params, as: await site.editor(), body })).statusCode;
  };
  return {
    send,
    pages: [{ addressAt: () => `${ORG}/editor/org`, method: 'open', capacity: 10, expectedText: asTyped }],
  };
}

export const ROWS_OF_ORGS: readonly HostileRow[] = [
  { call: 'createOrg', ...NAMES, start: (site) => createTrial(site, 'name') },
  { call: 'createOrg', ...TAGS, start: (site) => createTrial(site, 'tag') },
  { call: 'createOrg', ...PLACES, start: (site) => createTrial(site, 'place') },
  { call: 'editOrg', ...NAMES, start: (site) => editTrial(site, 'name') },
  { call: 'editOrg', ...TAGS, start: (site) => editTrial(site, 'tag') },
  { call: 'editOrg', ...PLACES, start: (site) => editTrial(site, 'place') },
  { call: 'editOrg', fields: ['reason'], maxLength: MAX_REASON_LENGTH, separator: '\n', start: reasonTrial },
];
