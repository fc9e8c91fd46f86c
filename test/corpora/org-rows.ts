import { MAX_SETTINGS_REASON_LENGTH } from '#contract/schemas/orgs.ts';
import { MAX_TAG_LENGTH } from '#domain/org.ts';
import { MAX_NAME_LENGTH } from '#domain/profile.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import {
  asTyped,
  editorsListPage,
  type HostileCase,
  ORG_PATH,
  type StartedCase,
  singlePage,
  type TestedPage,
  VALID_NAME,
} from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const NAME_FIELD = { fields: ['name'], maxLength: MAX_NAME_LENGTH, separator: ' ' };
const PLACE_FIELD = { fields: ['place'], maxLength: MAX_NAME_LENGTH, separator: ' ' };
const TAG_FIELD = { fields: ['tag'], maxLength: MAX_TAG_LENGTH, separator: ' ' };

type OrgTextField = 'name' | 'tag' | 'place';

/** Organizations to overwrite: as many as the admin page shows. */
const POOL_SIZE = 50;

async function createTrial(site: HostileSite, field: OrgTextField): Promise<StartedCase> {
  const orgIds: string[] = [];
  const send = async (text: string, position: number) => {
    const body = {
      name: VALID_NAME,
      tag: VALID_NAME,
      [field]: text,
      slug: `made-${field}-${position}`,
      email: 'everything@example.org',
    };
    const response = await call(site.app, 'createOrg', { params: {}, as: await site.getEditor(), body });
    if (response.statusCode === 200) orgIds[position] = response.json<{ id: string }>().id;
    return response.statusCode;
  };
  const pages = [singlePage((position) => `/orgs/${orgIds[position]}`, 4 * POOL_SIZE)];
  return { send, pages: field === 'name' ? [...pages, editorsListPage('/admin')] : pages };
}

async function editTrial(site: HostileSite, field: OrgTextField): Promise<StartedCase> {
  const ids: string[] = [];
  for (let count = 0; count < POOL_SIZE; count += 1) ids.push(await addOrg(site.db));
  const { userId } = await site.getEditor();
  for (const id of ids) await addEditor(site.db, id, userId);
  const idAt = (position: number) => ids[position % POOL_SIZE] ?? '';
  const send = async (text: string, index: number) => {
    const params = { orgid: idAt(index) };
    const body = { [field]: text };
    return (await call(site.app, 'editOrg', { params, as: await site.getEditor(), body })).statusCode;
  };
  const homePath = (position: number) => `/orgs/${idAt(position)}`;
  // These texts appear on every page of the organization. This page is used because it is rendered for each request.
  const framePage: TestedPage = {
    sourceAt: (position) => `${homePath(position)}/checkouts/none`,
    method: 'parse',
    capacity: 8,
    showsOneText: true,
  };
  return {
    send,
    pages:
      field === 'name'
        ? [singlePage(homePath, POOL_SIZE), editorsListPage('/admin')]
        : [singlePage(homePath, POOL_SIZE), framePage],
  };
}

/** The reason for a stats change, shown to editors. */
async function reasonTrial(site: HostileSite): Promise<StartedCase> {
  const send = async (reason: string, position: number) => {
    const body = { stats: { funds: position + 1 }, reason };
    const params = { orgid: 'sample' };
    return (await call(site.app, 'editOrg', { params, as: await site.getEditor(), body })).statusCode;
  };
  return {
    send,
    pages: [{ sourceAt: () => `${ORG_PATH}/editor/org`, method: 'open', capacity: 10, expectedText: asTyped }],
  };
}

export const ORG_ROWS: readonly HostileCase[] = [
  { call: 'createOrg', ...NAME_FIELD, start: (site) => createTrial(site, 'name') },
  { call: 'createOrg', ...TAG_FIELD, start: (site) => createTrial(site, 'tag') },
  { call: 'createOrg', ...PLACE_FIELD, start: (site) => createTrial(site, 'place') },
  { call: 'editOrg', ...NAME_FIELD, start: (site) => editTrial(site, 'name') },
  { call: 'editOrg', ...TAG_FIELD, start: (site) => editTrial(site, 'tag') },
  { call: 'editOrg', ...PLACE_FIELD, start: (site) => editTrial(site, 'place') },
  { call: 'editOrg', fields: ['reason'], maxLength: MAX_SETTINGS_REASON_LENGTH, separator: '\n', start: reasonTrial },
];
