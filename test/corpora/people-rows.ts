import { MAX_EMAIL_LENGTH, MAX_NAME_LENGTH } from '#domain/profile.ts';
import { finishSignUp } from '#server/features/sessions/sign-up.ts';
import { call } from '#test/support/call.ts';
import { editorsListPage, type HostileCase, type StartedCase } from './hostile-row.ts';
import type { HostileSite } from './hostile-site.ts';

/** Each text is the name of a different user who signs up from a different network. */
async function signUpTrial(site: HostileSite): Promise<StartedCase> {
  const signUp = async (previousSignUp: Promise<number>, name: string, position: number) => {
    await previousSignUp;
    const body = { email: `person-${position}@example.org`, name, password: 'warm homes, cooler planet' };
    const { statusCode } = await call(site.app, 'signUp', { params: {}, body, ipAddress: ipAddressAt(position) });
    const signUpJob = site.jobs.findPayloads(finishSignUp).at(-1);
    if (statusCode === 200 && signUpJob) await finishSignUp.run(site, signUpJob);
    return statusCode;
  };
  let lastSignUp = Promise.resolve(200);
  const send = (name: string, position: number) => {
    lastSignUp = signUp(lastSignUp, name, position);
    return lastSignUp;
  };
  return { send, pages: [editorsListPage('/users')] };
}

/** Sign-ups from one network are limited, so each uses a different IP address. */
function ipAddressAt(position: number): string {
  return `10.0.${Math.floor(position / 250)}.${(position % 250) + 1}`;
}

/** Invalid addresses are rejected and not stored. */
async function addEditorTrial(site: HostileSite): Promise<StartedCase> {
  const send = async (email: string) =>
    (await call(site.app, 'addEditor', { params: { orgid: 'sample' }, as: await site.getEditor(), body: { email } }))
      .statusCode;
  return { send, pages: [] };
}

export const PEOPLE_ROWS: readonly HostileCase[] = [
  { call: 'signUp', fields: ['name'], maxLength: MAX_NAME_LENGTH, separator: ' ', start: signUpTrial },
  {
    call: 'addEditor',
    fields: ['email'],
    maxLength: MAX_EMAIL_LENGTH,
    separator: ' ',
    rejectsAll: true,
    start: addEditorTrial,
  },
];
