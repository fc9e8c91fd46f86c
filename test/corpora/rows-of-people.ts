import { EMAIL_MAXIMUM, NAME_MAXIMUM } from '#domain/profile.ts';
import { finishSignUp } from '#server/features/sessions/sign-up.ts';
import { call } from '#test/support/call.ts';
import { editorsList, type HostileRow, type Trial } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

/** Each text is the name of somebody else who signs up, from another address of the network. */
async function signingUp(site: HostileSite): Promise<Trial> {
  let done = 0;
  let finished = Promise.resolve();
  /** One after another: whoever is answered is there. */
  const finish = async (before: Promise<void>) => {
    await before;
    const asked = site.jobs.dataOf('sign-up');
    for (const data of asked.slice(done)) await finishSignUp(site, data);
    done = asked.length;
  };
  const send = async (name: string, place: number) => {
    const email = `person-${place}@example.org`;
    const body = { email, name, password: 'warm homes, cooler planet' };
    const { statusCode } = await call(site.app, 'signUp', { params: {}, body, from: addressAt(place) });
    finished = finish(finished);
    await finished;
    return statusCode;
  };
  return { send, pages: [editorsList('/users')] };
}

/** Nobody may sign up so often. */
function addressAt(place: number): string {
  return `10.0.${Math.floor(place / 250)}.${(place % 250) + 1}`;
}

/** What is no address is told so, and not kept. */
async function adding(site: HostileSite): Promise<Trial> {
  const send = async (email: string) =>
    (await call(site.app, 'addEditor', { params: { orgid: 'sample' }, as: await site.editor(), body: { email } }))
      .statusCode;
  return { send, pages: [] };
}

export const ROWS_OF_PEOPLE: readonly HostileRow[] = [
  { call: 'signUp', fields: ['name'], most: NAME_MAXIMUM, between: ' ', begin: signingUp },
  { call: 'addEditor', fields: ['email'], most: EMAIL_MAXIMUM, between: ' ', refusesAll: true, begin: adding },
];
