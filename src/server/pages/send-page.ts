import type { FastifyReply, FastifyRequest } from 'fastify';
import { splitAddress } from '#server/http/address.ts';
import { DOCUMENT_SCRIPT_HASH } from './document-script.ts';
import type { KeptAnswers } from './kept-answers.ts';
import type { PageAnswer, SitePages } from './site-pages.ts';

/** When the store did not answer, it is worth asking again after this. */
const COME_BACK_SECONDS = 30;

/** Answers a request for a page: a redirect, its document, or word that the browser has it already. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: SitePages,
  answers: KeptAnswers,
): Promise<FastifyReply> {
  const address = splitAddress(request.url);
  const answer = await pages.answer(address, request.headers['accept-encoding'], (err) =>
    request.log.error({ err }, 'a page could not be rendered'),
  );
  if (answer.kind === 'redirect') return reply.redirect(answer.to + address.search, 302);
  void reply
    .status(answer.status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-encoding');
  // For whoever does not read the document: what is nobody's to find says so in its head too.
  if (answer.kind === 'shell' || answer.status !== 200) void reply.header('x-robots-tag', 'noindex');
  return answer.kind === 'shell' ? sendShell(reply, answer) : sendRendered(request, reply, answer, answers);
}

/** Whoever knows the address of a checkout, or a mailed link, may act: no other site is told it, nor a part of it. */
const OWN_HEADERS = { 'referrer-policy': 'no-referrer' };

type Shell = Extract<PageAnswer, { kind: 'shell' }>;
type Rendered = Extract<PageAnswer, { kind: 'page' }>;

function sendShell(reply: FastifyReply, { status, text, isPersonal }: Shell): FastifyReply {
  if (status === 503) void reply.header('retry-after', String(COME_BACK_SECONDS));
  if (isPersonal) void reply.headers(OWN_HEADERS);
  return reply.send(text);
}

function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Rendered,
  answers: KeptAnswers,
): FastifyReply {
  allowInside(reply, answer.styleHash);
  if (!answer.kept) return sendOwn(reply, answer);
  // Only a document that is there can be one that the browser has already (RFC 9110, 13.2.1).
  if (answer.status === 200) {
    void reply.header('etag', answer.etag);
    if (isKnown(answer.etag, request.headers['if-none-match'])) return reply.status(304).send();
  }
  if (answer.encoding !== 'identity') void reply.header('content-encoding', answer.encoding);
  const { kept, status, body } = answer;
  if (status === 200 && request.method === 'GET' && request.raw.url === kept.path)
    answers.remember(kept.page, request.headers['accept-encoding'], reply, body);
  return reply.send(body);
}

/** A page that is each person's own is told to nobody else, and kept nowhere. */
function sendOwn(reply: FastifyReply, { encoding, body }: Rendered): FastifyReply {
  void reply.headers({ ...OWN_HEADERS, 'cache-control': 'no-store' }).header('x-robots-tag', 'noindex');
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply.send(body);
}

/** Whether the client names this very document, or any (RFC 9110, If-None-Match). */
function isKnown(etag: string, header: string | undefined): boolean {
  const named = (header ?? '').split(',').map((text) => text.trim().replace(/^W\//, ''));
  return named.includes(etag) || named.includes('*');
}

/** The style and the one script inside the document are allowed by their hashes, and no other ones. */
function allowInside(reply: FastifyReply, styleHash: string): void {
  const policy = String(reply.getHeader('content-security-policy') ?? '');
  void reply.header(
    'content-security-policy',
    policy
      .replace("style-src 'self'", `style-src 'self' ${styleHash}`)
      .replace("script-src 'self'", `script-src 'self' ${DOCUMENT_SCRIPT_HASH}`),
  );
}
