import type { EditableOffsetter } from '#contract/schemas/offsetters.ts';
import type { Giving, User } from '#contract/schemas/users.ts';
import type { Answer } from '#contract/schemas.ts';
import type { ApiClient, ListAnswer } from './api/client.ts';

/** What the pages of people who are signed in load. */
export type EditOffsetterData = { readonly offsetter: EditableOffsetter };
export type UserHomeData = {
  readonly user: User;
  /** Nothing where the address is not proven: only its owner may see what was given with it (decisions §4). */
  readonly giving: Giving | undefined;
};
export type UsersData = { readonly people: ListAnswer<'searchUsers'> };
export type EditorsData = { readonly team: Answer<'readEditors'> };

export async function loadOffsetterToEdit(
  api: ApiClient,
  params: { readonly orgid: string; readonly offsetterid: string },
): Promise<EditOffsetterData> {
  return { offsetter: await api.call('readOffsetterToEdit', { params }) };
}

export async function loadUserHome(api: ApiClient, userid: string): Promise<UserHomeData> {
  const params = { userid };
  const user = await api.call('readUser', { params });
  return { user, giving: user.emailVerified ? await api.call('readGiving', { params }) : undefined };
}

/** A part of the people whose name or address has this text in it. */
export function loadPeople(api: ApiClient, query: string, cursorRef?: string): Promise<ListAnswer<'searchUsers'>> {
  return api.list('searchUsers', {
    query: { ...(query === '' ? {} : { query }), ...(cursorRef === undefined ? {} : { cursorRef }) },
  });
}

export async function loadEditors(api: ApiClient, orgid: string): Promise<EditorsData> {
  return { team: await api.call('readEditors', { params: { orgid } }) };
}
