import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { sendProblem } from '#server/http/problems.ts';

type MediaRequest = FastifyRequest<{ Params: { key: string; file: string } }>;

/** `{width}.webp`, in the one way of writing it. */
const FILE = /^([1-9]\d{0,4})\.webp$/;
/** A key is never used for another picture, so a file can be kept for ever. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** GET /media/{key}/{width}.webp: the pictures made safe. Public, as the stories are that show them. */
export async function mediaRoutes(app: FastifyInstance, { pictures }: Pick<AppDeps, 'pictures'>): Promise<void> {
  app.get('/media/:key/:file', async (request: MediaRequest, reply) => {
    const width = FILE.exec(request.params.file)?.[1];
    const picture = width === undefined ? undefined : await pictures.open(request.params.key, Number(width));
    if (!picture) return sendProblem(request, reply, new Failure('page-not-found'));
    return reply
      .type('image/webp')
      .header('content-length', picture.bytes)
      .header('cache-control', FOR_EVER)
      .header('x-content-type-options', 'nosniff')
      .send(picture.stream);
  });
}
