import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { requireBearer } from '#server/http/actor.ts';
import { registerCall } from '#server/http/call-route.ts';
import { addNote, removeNote } from './gift-notes.ts';

export async function giftNoteRoutes(app: FastifyInstance, deps: AppDeps): Promise<void> {
  registerCall(app, deps, 'addGiftNote', {
    action: 'gift-notes.edit',
    handle: ({ actor, params, body }) => addNote(deps, keyOf(params), body, requireBearer(actor).userId),
  });
  registerCall(app, deps, 'removeGiftNote', {
    action: 'gift-notes.edit',
    handle: ({ params }) => removeNote(deps, keyOf(params)),
  });
}

function keyOf({ orgid: orgId, noteid: noteId }: { orgid: string; noteid: string }) {
  return { orgId, noteId };
}
