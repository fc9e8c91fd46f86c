import type { FastifyInstance } from 'fastify';
import { NEXT_CURSOR_HEADER } from '#contract/calls.ts';
import { isUnavailable } from '#server/db/unavailable.ts';
import type { AppDeps } from '#server/deps.ts';
import type { CachedCalls } from '#server/http/call-route.ts';
import { encode } from './encodings.ts';
import { type EncodedContent, hashContent, openPageCache, sendWithEntityTag } from './page-cache.ts';

const MAX_BYTES = 16 * 1024 * 1024;

type CachedCall = EncodedContent & { readonly nextCursor: string | undefined };

/**
 * Caches public API responses until their organization changes, for at most 15 minutes. Concurrent requests share one
 * response. While the database is unavailable, outdated responses are sent.
 */
export async function registerCallCache(app: FastifyInstance, deps: Pick<AppDeps, 'db' | 'now'>): Promise<void> {
  const cache = await openPageCache<CachedCall>(app, deps, MAX_BYTES);
  const cachedCalls: CachedCalls = {
    send: async (request, reply, { orgId, createResponse }) => {
      const encodeResponse = async () => {
        const { content, nextCursor } = await createResponse();
        const text = JSON.stringify(content);
        return { bodies: await encode(text, { quick: true }), etag: hashContent(text), nextCursor };
      };
      const cachedResponse = await cache.get(request.originalUrl, orgId, encodeResponse).catch((error: unknown) => {
        const outdatedResponse = isUnavailable(error) ? cache.peekOutdated(request.originalUrl) : undefined;
        if (!outdatedResponse) throw error;
        return outdatedResponse;
      });
      // A request with a token may get a different response.
      const vary = [reply.getHeader('vary'), 'authorization, accept-encoding'].filter(Boolean).join(', ');
      void reply.type('application/json; charset=utf-8').headers({ 'cache-control': 'no-cache', vary });
      if (cachedResponse.nextCursor !== undefined) void reply.header(NEXT_CURSOR_HEADER, cachedResponse.nextCursor);
      return sendWithEntityTag(request, reply, cachedResponse);
    },
  };
  app.decorate('cachedCalls', cachedCalls);
}
