import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { SHARE_IMAGE_KINDS, SHARE_IMAGES_BASE, type ShareImageKind } from '#contract/share-images.ts';
import { Failure } from '#domain/failures.ts';
import type { OrgId } from '#domain/ids.ts';
import type { AppDeps } from '#server/deps.ts';
import { findOrg } from '#server/entities/find-org.ts';
import { checkPhotoAccess, findPublicStory } from '#server/features/stories/read-stories.ts';
import { isPictureKey } from '#server/gateways/pictures/pictures.ts';
import type { ShareImageFacts } from '#server/gateways/share-images/share-images.ts';
import { sendProblem } from '#server/http/problems.ts';

type MediaRequest = FastifyRequest<{ Params: { key: string; file: string }; Querystring: { pass?: unknown } }>;

/** `{width}.webp`, without leading zeros. */
const FILE_PATTERN = /^([1-9]\d{0,4})\.webp$/;
/** Short, so that the pictures of a hidden or deleted story disappear within a minute. */
const SHORT_CACHE = 'public, max-age=30';
/** Cache header by kind of access. Keys are never reused, so files never change. */
const CACHE_CONTROL = {
  permanent: 'public, max-age=31536000, immutable',
  public: SHORT_CACHE,
  private: 'private, no-store',
} as const;

/** GET /media/{key}/{width}.webp: re-encoded pictures. A story's pictures are public while the story is. */
export async function mediaRoutes(app: FastifyInstance, { db, pictures }: MediaDeps): Promise<void> {
  app.get('/media/:key/:file', async (request: MediaRequest, reply) => {
    const { key, file } = request.params;
    const width = FILE_PATTERN.exec(file)?.[1];
    const isValidFile = width !== undefined && isPictureKey(key);
    const access = isValidFile ? await checkPhotoAccess(db, key, request.query.pass) : undefined;
    const picture = access && (await pictures.open(key, Number(width)));
    if (!picture) return sendProblem(request, reply, new Failure('page-not-found'));
    const etag = `"${key}-${width}"`;
    void reply.headers({ etag, 'cache-control': CACHE_CONTROL[access], 'x-content-type-options': 'nosniff' });
    if (request.headers['if-none-match']?.includes(etag)) {
      picture.stream.destroy();
      return reply.status(304).send();
    }
    return reply.type('image/webp').header('content-length', picture.bytes).send(picture.stream);
  });
}

type MediaDeps = Pick<AppDeps, 'db' | 'pictures'>;
type ShareImageDeps = Pick<AppDeps, 'db' | 'shareImages'>;
type OrgImageRequest = FastifyRequest<{ Params: { file: string } }>;
type StoryImageRequest = FastifyRequest<{ Params: { orgid: string; kind: string; file: string } }>;

const STORY_KINDS = { offsetters: 'offsetter', awardees: 'awardee', installers: 'installer' } as const;

/** GET /media/cards/{orgid}.png and /media/cards/{orgid}/{kind}/{id}.png: share images of organizations and public stories. */
export async function shareImageRoutes(app: FastifyInstance, deps: ShareImageDeps): Promise<void> {
  app.get(`${SHARE_IMAGES_BASE}/:file`, async (request: OrgImageRequest, reply) =>
    sendShareImage(request, reply, deps, await readOrgFacts(deps, parseImageId(request.params.file))),
  );
  app.get(`${SHARE_IMAGES_BASE}/:orgid/:kind/:file`, async (request: StoryImageRequest, reply) => {
    const { orgid: orgId, file } = request.params;
    const kind = SHARE_IMAGE_KINDS.find((name) => name === request.params.kind);
    return sendShareImage(request, reply, deps, kind && (await readStoryFacts(deps, orgId, kind, parseImageId(file))));
  });
}

/** Returns the id in `{id}.png`, or '' for any other file name. */
function parseImageId(file: string): string {
  const id = file.endsWith('.png') ? file.slice(0, -'.png'.length) : '';
  return ID_PATTERN.test(id) ? id : '';
}

async function readOrgFacts({ db }: ShareImageDeps, orgId: OrgId): Promise<ShareImageFacts | undefined> {
  const org = orgId === '' ? undefined : await findOrg(db, orgId);
  return org && { orgId, orgName: org.name, title: org.tag, storyText: '', photo: org.photo };
}

async function readStoryFacts(
  deps: ShareImageDeps,
  orgId: OrgId,
  kind: ShareImageKind,
  id: string,
): Promise<ShareImageFacts | undefined> {
  const org = id === '' || !ID_PATTERN.test(orgId) ? undefined : await readOrgFacts(deps, orgId);
  const story = org && (await findPublicStory(deps.db, STORY_KINDS[kind], orgId, id));
  if (!org || !story) return undefined;
  return { ...org, story: { kind, id }, title: story.name, storyText: story.story, photo: story.photo };
}

async function sendShareImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { shareImages }: ShareImageDeps,
  facts: ShareImageFacts | undefined,
): Promise<FastifyReply> {
  if (!facts) return sendProblem(request, reply, new Failure('page-not-found'));
  const image = await shareImages.open(facts);
  if (image instanceof Failure) return sendProblem(request, reply, image);
  const etag = `"${image.tag}"`;
  void reply
    .header('etag', etag)
    .header('cache-control', facts.story ? SHORT_CACHE : 'public, max-age=3600')
    // Share images are shown on other sites.
    .header('cross-origin-resource-policy', 'cross-origin');
  if (request.headers['if-none-match']?.includes(etag)) return reply.status(304).send();
  return reply.type('image/png').send(image.png);
}
