import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ID_PATTERN } from '#contract/schemas/shared.ts';
import { CARD_KINDS, CARDS_BASE, type CardKind } from '#contract/share-images.ts';
import { Failure } from '#domain/failures.ts';
import type { AppDeps } from '#server/deps.ts';
import { shownStory } from '#server/features/stories/read-stories.ts';
import type { CardFacts } from '#server/gateways/share-images/share-images.ts';
import { sendProblem } from '#server/http/problems.ts';
import { findOrg } from '#server/orgs/find-org.ts';

type MediaRequest = FastifyRequest<{ Params: { key: string; file: string } }>;

/** `{width}.webp`, without leading zeros. */
const FILE = /^([1-9]\d{0,4})\.webp$/;
/** Keys are never reused, so files never change. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** GET /media/{key}/{width}.webp: re-encoded pictures, which are public. */
export async function mediaRoutes(app: FastifyInstance, { pictures }: Pick<AppDeps, 'pictures'>): Promise<void> {
  app.get('/media/:key/:file', async (request: MediaRequest, reply) => {
    const width = FILE.exec(request.params.file)?.[1];
    const picture = width === undefined ? undefined : await pictures.open(request.params.key, Number(width));
    if (!picture) return sendProblem(request, reply, new Failure('page-not-found'));
    return reply
      .type('image/webp')
      .header('content-length', picture.bytes)
      .header('cache-control', IMMUTABLE)
      .header('x-content-type-options', 'nosniff')
      .send(picture.stream);
  });
}

type CardsDeps = Pick<AppDeps, 'db' | 'cards'>;
type OrgCardRequest = FastifyRequest<{ Params: { file: string } }>;
type StoryCardRequest = FastifyRequest<{ Params: { orgid: string; kind: string; file: string } }>;

const STORY_KINDS = { offsetters: 'offsetter', awardees: 'awardee', installers: 'installer' } as const;

/** GET /media/cards/{orgid}.png and /media/cards/{orgid}/{kind}/{id}.png: share images of what the public may see. */
export async function cardRoutes(app: FastifyInstance, deps: CardsDeps): Promise<void> {
  const stop = await deps.db.listen('org_changed', (payload) => {
    // A leftover card is harmless: its name contains its content, so a stale one is never served.
    deps.cards
      .drop(payload?.split(' ')[0])
      .catch((err: unknown) => app.log.warn({ err }, 'old share cards could not be deleted'));
  });
  app.addHook('onClose', async () => stop());

  app.get(`${CARDS_BASE}/:file`, async (request: OrgCardRequest, reply) =>
    sendCard(request, reply, deps, await orgFacts(deps, idOf(request.params.file))),
  );
  app.get(`${CARDS_BASE}/:orgid/:kind/:file`, async (request: StoryCardRequest, reply) => {
    const { orgid, file } = request.params;
    const kind = CARD_KINDS.find((name) => name === request.params.kind);
    return sendCard(request, reply, deps, kind && (await storyFacts(deps, orgid, kind, idOf(file))));
  });
}

/** The id in `{id}.png`; '' if there is none. */
function idOf(file: string): string {
  const id = file.endsWith('.png') ? file.slice(0, -'.png'.length) : '';
  return ID_PATTERN.test(id) ? id : '';
}

async function orgFacts({ db }: CardsDeps, orgId: string): Promise<CardFacts | undefined> {
  const org = orgId === '' ? undefined : await findOrg(db, orgId);
  return org && { orgId, orgName: org.name, title: org.tag, words: '', photo: org.photo };
}

async function storyFacts(deps: CardsDeps, orgId: string, kind: CardKind, id: string): Promise<CardFacts | undefined> {
  const org = id === '' || !ID_PATTERN.test(orgId) ? undefined : await orgFacts(deps, orgId);
  const story = org && (await shownStory(deps.db, STORY_KINDS[kind], orgId, id));
  if (!org || !story) return undefined;
  return { ...org, story: { kind, id }, title: story.name, words: story.story, photo: story.photo };
}

async function sendCard(
  request: FastifyRequest,
  reply: FastifyReply,
  { cards }: CardsDeps,
  facts: CardFacts | undefined,
): Promise<FastifyReply> {
  if (!facts) return sendProblem(request, reply, new Failure('page-not-found'));
  const card = await cards.open(facts);
  if (card instanceof Failure) return sendProblem(request, reply, card);
  const etag = `"${card.tag}"`;
  void reply
    .header('etag', etag)
    .header('cache-control', 'public, max-age=3600')
    // Share images are shown on other sites.
    .header('cross-origin-resource-policy', 'cross-origin');
  if (request.headers['if-none-match']?.includes(etag)) {
    card.stream.destroy();
    return reply.status(304).send();
  }
  return reply.type('image/png').header('content-length', card.bytes).send(card.stream);
}
