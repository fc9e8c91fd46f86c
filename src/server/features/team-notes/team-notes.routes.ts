import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { requireSignedIn } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { addTeamNote, removeTeamNote } from './team-notes.ts';

export async function teamNoteRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'addTeamNote', {
    action: 'team-notes.edit',
    handle: ({ actor, params, body }) => addTeamNote(deps, toNoteKey(params), body, requireSignedIn(actor).userId),
  });
  registerCall(app, deps, 'removeTeamNote', {
    action: 'team-notes.edit',
    handle: ({ params }) => removeTeamNote(deps, toNoteKey(params)),
  });
}

function toNoteKey({ orgid: orgId, noteid: noteId }: { orgid: string; noteid: string }) {
  return { orgId, noteId };
}
