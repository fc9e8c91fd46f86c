import { REASON_MAXIMUM } from '#contract/schemas/orgs.ts';
import { TAG_MAXIMUM } from '#domain/org.ts';
import { NAME_MAXIMUM } from '#domain/profile.ts';
import { addEditor } from '#test/support/builders/editor.ts';
import { addOrg } from '#test/support/builders/org.ts';
import { call } from '#test/support/call.ts';
import {
  asTyped,
  editorsList,
  type HostileRow,
  NAME,
  ORG,
  pageOfOne,
  type ShownPage,
  type Trial,
} from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

const NAMES = { fields: ['name'], most: NAME_MAXIMUM, between: ' ' };
const PLACES = { fields: ['place'], most: NAME_MAXIMUM, between: ' ' };
const TAGS = { fields: ['tag'], most: TAG_MAXIMUM, between: ' ' };

type TextOfOrg = 'name' | 'tag' | 'place';

/** Organizations to overwrite: as many as the admins' page shows. */
const POOL = 50;

async function createTrial(site: HostileSite, field: TextOfOrg): Promise<Trial> {
  const orgIds: string[] = [];
  const send = async (text: string, place: number) => {
    const body = {
      name: NAME,
      tag: NAME,
      [field]: text,
      slug: `made-${field}-${place}`,
      email: 'everything@example.org',
    };
    const answer = await call(site.app, 'createOrg', { params: {}, as: await site.editor(), body });
    if (answer.statusCode === 200) orgIds[place] = answer.json<{ id: string }>().id;
    return answer.statusCode;
  };
  const pages = [pageOfOne((place) => `/orgs/${orgIds[place]}`, 4 * POOL)];
  return { send, pages: field === 'name' ? [...pages, editorsList('/admin')] : pages };
}

async function editTrial(site: HostileSite, field: TextOfOrg): Promise<Trial> {
  const ids: string[] = [];
  for (let count = 0; count < POOL; count += 1) ids.push(await addOrg(site.db));
  const { userId } = await site.editor();
  for (const id of ids) await addEditor(site.db, id, userId);
  const idAt = (place: number) => ids[place % POOL] ?? '';
  const send = async (text: string, place: number) => {
    const params = { orgid: idAt(place) };
    const body = { [field]: text };
    return (await call(site.app, 'editOrg', { params, as: await site.editor(), body })).statusCode;
  };
  const home = (place: number) => `/orgs/${idAt(place)}`;
  // These texts appear on every page of the organization; this one is re-created each time.
  const frame: ShownPage = { what: (place) => `${home(place)}/checkouts/none`, how: 'read', holds: 8, isOfOne: true };
  return {
    send,
    pages: field === 'name' ? [pageOfOne(home, POOL), editorsList('/admin')] : [pageOfOne(home, 10), frame],
  };
}

/** The reason for the stats, as editors read it. */
async function reasonTrial(site: HostileSite): Promise<Trial> {
  const send = async (reason: string, place: number) => {
    const body = { stats: { funds: place + 1 }, reason };
    const params = { orgid: 'sample' };
    return (await call(site.app, 'editOrg', { params, as: await site.editor(), body })).statusCode;
  };
  return { send, pages: [{ what: () => `${ORG}/editor/org`, how: 'opened', holds: 10, shows: asTyped }] };
}

export const ROWS_OF_ORGS: readonly HostileRow[] = [
  { call: 'createOrg', ...NAMES, begin: (site) => createTrial(site, 'name') },
  { call: 'createOrg', ...TAGS, begin: (site) => createTrial(site, 'tag') },
  { call: 'createOrg', ...PLACES, begin: (site) => createTrial(site, 'place') },
  { call: 'editOrg', ...NAMES, begin: (site) => editTrial(site, 'name') },
  { call: 'editOrg', ...TAGS, begin: (site) => editTrial(site, 'tag') },
  { call: 'editOrg', ...PLACES, begin: (site) => editTrial(site, 'place') },
  { call: 'editOrg', fields: ['reason'], most: REASON_MAXIMUM, between: '\n', begin: reasonTrial },
];
