import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { splitAddress } from '#server/http/address.ts';
import { withPhotoForms } from '#server/http/photo-form.ts';
import { type Asker, checkRateLimit, releaseRateLimit } from './check-rate-limit.ts';

/**
 * Calls that take a form with a photo, which is decoded whatever becomes of it: they are counted before it is read. A
 * visitor's story that is told counts no longer.
 */
export async function withLimitedForms(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'db' | 'now'>,
  add: (forms: FastifyInstance) => void,
): Promise<void> {
  await withPhotoForms(app, (forms) => {
    // After its sender was permitted.
    forms.addHook('preHandler', async (request) => {
      const refused = await checkRateLimit(deps, 'upload', askerOf(request));
      if (refused) throw refused;
    });
    forms.addHook('onResponse', async (request, reply) => {
      // Who hangs up before the answer has no status but that of success.
      const isTold = reply.raw.headersSent && reply.statusCode < 300;
      if (isTold && request.userId === undefined) await releaseRateLimit(deps, 'upload', askerOf(request));
    });
    add(forms);
  });
}

function askerOf(request: FastifyRequest): Asker {
  const person = request.userId;
  return { client: request.ip, ...(person === undefined ? { thing: splitAddress(request.url).path } : { person }) };
}
