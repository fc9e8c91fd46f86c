import type { FastifyInstance } from 'fastify';
import { NEXT_CURSOR_HEADER } from '#contract/calls.ts';
import type { Database } from '#server/db/connection.ts';
import type { KeptCalls } from '#server/http/call-route.ts';
import type { CachedAnswers } from './cached-answers.ts';
import { encode, encodingFor } from './encodings.ts';
import { entityTag, hashOf, pageCache, type Ready } from './page-cache.ts';

const MOST_BYTES = 16 * 1024 * 1024;

type ReadyCall = Ready & { readonly nextCursor: string | undefined };

/**
 * Keeps what visitors are answered until its organization changes, as documents are: built once for all who ask at the
 * same time, and then answered ahead of the router and the database.
 */
export async function keepCalls(app: FastifyInstance, db: Database, answers: CachedAnswers): Promise<void> {
  const cache = pageCache<ReadyCall>(MOST_BYTES);
  const stop = await db.listen('org_changed', (payload) => {
    const orgId = payload?.split(' ')[0];
    if (orgId === undefined) cache.dropAll();
    else cache.dropOrg(orgId);
  });
  app.addHook('onClose', async () => stop());
  answers.add((url) => cache.peek(url));
  const kept: KeptCalls = {
    send: async (request, reply, { orgId, make }) => {
      const { originalUrl: url, headers } = request;
      const ready = await cache.get(url, orgId, async () => {
        const { content, nextCursor } = await make();
        const text = JSON.stringify(content);
        return { bodies: await encode(text, { quick: true }), etag: hashOf(text), nextCursor };
      });
      const encoding = encodingFor(headers['accept-encoding']);
      const etag = entityTag(ready, encoding);
      // Who shows a token may be told more.
      const vary = [reply.getHeader('vary'), 'authorization, accept-encoding'].filter(Boolean).join(', ');
      void reply.type('application/json; charset=utf-8').headers({ 'cache-control': 'no-cache', vary });
      if (ready.nextCursor !== undefined) void reply.header(NEXT_CURSOR_HEADER, ready.nextCursor);
      const kept = request.method === 'GET' ? ready : undefined;
      return answers.send(request, reply, { kept, etag, encoding, body: ready.bodies[encoding] });
    },
    // What was done is done, whether or not the database can be asked about it now.
    changed: (orgId) => db.changes.tell(orgId).catch(() => cache.dropOrg(orgId)),
  };
  app.decorate('kept', kept);
}
