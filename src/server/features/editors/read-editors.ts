import type { Kysely } from 'kysely';
import type { Answer } from '#contract/schemas.ts';
import { type Action, roleCan } from '#domain/permissions.ts';
import type { Database } from '#server/db/connection.ts';
import type { Tables } from '#server/db/tables.ts';
import { presentEditor, presentInvitation } from './editors.present.ts';
import { editorsOf, invitationsOf } from './editors.store.ts';

/** An organization's editors and open invitations. @param ownId reads them with a narrower role, which sees less */
export async function readEditors(db: Database, orgId: string, ownId?: string): Promise<Answer<'readEditors'>> {
  const [team, invitations] = await Promise.all([editorsOf(db.kysely, orgId), invitationsOf(db.kysely, orgId)]);
  if (ownId === undefined) return { editors: team.map(presentEditor), invitations: invitations.map(presentInvitation) };
  const seen = team.filter(({ role, user_id }) => role === 'editor' || user_id === ownId);
  // Who of the editors leaves is theirs to settle.
  return { editors: seen.map((row) => presentEditor({ ...row, leaves_at: null, becomes: null })), invitations: [] };
}

/** Ids of the people in an organization whose role may do this: those whom its mails are for. */
export async function peopleWhoMay(db: Kysely<Tables>, orgId: string, action: Action): Promise<string[]> {
  const team = await editorsOf(db, orgId);
  return team.filter(({ role }) => roleCan(role, action)).map(({ user_id }) => user_id);
}
