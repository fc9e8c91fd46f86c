import type { Answer } from '#contract/schemas.ts';
import { Failure } from '#domain/failures.ts';
import type { Database } from '#server/db/connection.ts';
import { findOrg } from '#server/orgs/find-org.ts';
import { presentEditor, presentInvitation } from './editors.present.ts';
import { editorsOf, invitationsOf } from './editors.store.ts';

/** Who edits an organisation, and who was asked to. @returns Failure org-not-found */
export async function readEditors(db: Database, orgId: string): Promise<Answer<'readEditors'> | Failure> {
  if (!(await findOrg(db, orgId))) return new Failure('org-not-found');
  const [editors, invitations] = await Promise.all([editorsOf(db.kysely, orgId), invitationsOf(db.kysely, orgId)]);
  return { editors: editors.map(presentEditor), invitations: invitations.map(presentInvitation) };
}
