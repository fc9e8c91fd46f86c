import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AppDeps } from '#server/deps.ts';
import { splitUrl } from '#server/http/address.ts';
import { registerPhotoForms } from '#server/http/photo-form.ts';
import { checkRateLimit, type Requester, refundRateLimit } from './check-rate-limit.ts';

/**
 * Registers calls that take a form with a photo. Decoding a photo is expensive even if the form is rejected, so each
 * request counts before its body is read. A visitor's successful request is then subtracted again.
 */
export async function withLimitedForms(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'db' | 'now'>,
  registerForms: (forms: FastifyInstance) => void,
): Promise<void> {
  await registerPhotoForms(app, (forms) => {
    // At this point, the caller has been authorized.
    forms.addHook('preHandler', async (request) => {
      const failure = await checkRateLimit(deps, 'upload', toRequester(request));
      if (failure) throw failure;
    });
    forms.addHook('onResponse', async (request, reply) => {
      // If the client disconnects before the response, the status code is still 2xx.
      const isSuccessful = reply.raw.headersSent && reply.statusCode < 300;
      if (isSuccessful && request.userId === undefined) await refundRateLimit(deps, 'upload', toRequester(request));
    });
    registerForms(forms);
  });
}

function toRequester(request: FastifyRequest): Requester {
  const { userId } = request;
  return userId === undefined
    ? { client: request.ip, resource: splitUrl(request.url).path }
    : { client: request.ip, userId };
}
