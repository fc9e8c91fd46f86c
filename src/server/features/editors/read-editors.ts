import type { Answer } from '#contract/schemas.ts';
import type { Database } from '#server/db/connection.ts';
import { presentEditor, presentInvitation } from './editors.present.ts';
import { editorsOf, invitationsOf } from './editors.store.ts';

/** An organization's editors and open invitations. */
export async function readEditors(db: Database, orgId: string): Promise<Answer<'readEditors'>> {
  const [editors, invitations] = await Promise.all([editorsOf(db.kysely, orgId), invitationsOf(db.kysely, orgId)]);
  return { editors: editors.map(presentEditor), invitations: invitations.map(presentInvitation) };
}
