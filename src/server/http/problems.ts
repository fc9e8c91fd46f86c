import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FIRST_LANGUAGE, languageNamed, preferredLanguage } from '#contract/languages.ts';
import { PROBLEM_TYPE, type Problem, problemTitle, problemType } from '#contract/problem.ts';
import { Failure, type FailureCode } from '#domain/failures.ts';
import { failureSentence } from '#domain/refusals.ts';
import { type Language, m } from '#messages';
import { isUnavailable } from '#server/db/unavailable.ts';
import { newRequestId } from '#server/ids.ts';
import { bearerOf } from './actor.ts';
import { FIELD_AS_SENT } from './input.ts';
import { PROBLEM_PAGE_POLICY, problemPage } from './problem-page.ts';
import { REQUEST_ID_HEADER } from './request-ids.ts';

/** All other failures are 422. Only this file knows status codes. */
const STATUSES: Partial<Record<FailureCode, number>> = {
  'invalid-input': 400,
  'no-data': 400,
  'unknown-cursor': 400,
  'missing-requested-with': 400,
  'webhook-signature': 400,
  'login-required': 401,
  'token-invalid': 401,
  'token-stale': 401,
  'proof-required': 401,
  'mail-proof-required': 401,
  'wrong-credentials': 401,
  'second-step-over': 401,
  'wrong-code': 401,
  'wrong-recovery-code': 401,
  'passkey-refused': 401,
  forbidden: 403,
  'email-unverified': 403,
  'second-factor-needed': 403,
  'only-admins': 403,
  'challenge-needed': 403,
  'no-event': 404,
  'no-cell': 404,
  'org-not-found': 404,
  'checkout-not-found': 404,
  'offsetter-not-found': 404,
  'awardee-not-found': 404,
  'installer-not-found': 404,
  'user-not-found': 404,
  'session-not-found': 404,
  'editor-not-found': 404,
  'invitation-not-found': 404,
  'passkey-not-found': 404,
  'payment-not-found': 404,
  'grant-not-found': 404,
  'pledge-not-found': 404,
  'attention-not-found': 404,
  'gift-not-found': 404,
  'receipt-not-found': 404,
  'card-not-found': 404,
  'payout-not-found': 404,
  'month-not-found': 404,
  'call-not-found': 404,
  'page-not-found': 404,
  'method-not-allowed': 405,
  'checkout-not-paid': 409,
  'checkout-over': 409,
  'checkout-processing': 409,
  'refund-disputed': 409,
  'refund-changed': 409,
  'refund-refused': 409,
  'gift-ended': 409,
  'gift-past-due': 409,
  'gift-raise-needs-login': 403,
  'grant-in-books': 409,
  'grant-promised': 409,
  'grant-not-promised': 409,
  'grant-paid': 409,
  'awardee-has-grant': 409,
  'pledge-received': 409,
  'attention-settled': 409,
  'pledge-withdrawn': 409,
  'pledge-not-received': 409,
  'receipt-without-address': 409,
  'card-not-paid': 409,
  'already-editor': 409,
  'passkey-known': 409,
  'too-many-passkeys': 409,
  'authenticator-known': 409,
  'text-changed': 409,
  'story-changed': 409,
  'slug-taken': 409,
  'stats-moved': 409,
  'factors-moved': 409,
  'last-editor': 409,
  'editor-too-new': 409,
  'last-admin': 409,
  'request-timeout': 408,
  'headers-too-large': 431,
  'body-too-large': 413,
  'photo-too-large': 413,
  'unsupported-media-type': 415,
  'photo-format': 415,
  'too-many-requests': 429,
  'cards-declined': 429,
  'server-error': 500,
  'out-of-order': 503,
  'too-busy': 503,
  'photo-not-kept': 503,
  'payment-unavailable': 503,
  'refund-unavailable': 503,
  'gifts-not-stopped': 503,
  'gift-not-stopped': 503,
  'gift-not-changed': 503,
  'checkout-not-closed': 503,
  'google-unavailable': 503,
};

/** Failures whose answer includes these details. */
const CARRIED: Partial<Record<FailureCode, readonly string[]>> = {
  'text-changed': ['savedBy', 'savedTimestamp', 'markdown'],
  'story-changed': ['name', 'story'],
  'challenge-needed': ['siteKey', 'origin'],
};

const INCOMPLETE = new Failure('invalid-input', { problem: (options) => m.inputIncomplete({}, options) });

function unreadable(): Failure {
  return new Failure('invalid-input', { problem: (options) => m.inputUnreadable({}, options) });
}

/** Fastify's own errors, as our failures. */
const FASTIFY_CODES: Record<string, Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new Failure('body-too-large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Failure('unsupported-media-type'),
  FST_ERR_CTP_EMPTY_JSON_BODY: new Failure('no-data'),
  FST_ERR_CTP_INVALID_JSON_BODY: new Failure('invalid-input', { problem: 'The request cannot be read as JSON.' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: INCOMPLETE,
  FST_REQ_FILE_TOO_LARGE: new Failure('photo-too-large'),
  FST_FILES_LIMIT: new Failure('invalid-input', { problem: (options) => m.inputOneFile({}, options) }),
  FST_FIELDS_LIMIT: new Failure('invalid-input', { problem: 'The form has too many fields.' }),
  FST_PARTS_LIMIT: new Failure('invalid-input', { problem: 'The form has too many parts.' }),
  FST_INVALID_MULTIPART_CONTENT_TYPE: new Failure('unsupported-media-type'),
  // An address that leads out of the folder of files.
  FST_STATIC_FORBIDDEN_PATH: new Failure('call-not-found'),
};

/** Plugins set `expose` on errors that callers may see. */
type ServerError = FastifyError & { readonly expose?: boolean };

/** After which a busy site, or one without its database, may be asked again. */
export const BUSY_SECONDS = 10;

export function statusOf(code: FailureCode): number {
  return STATUSES[code] ?? 422;
}

/** What honest pages do not ask for: the operator should see who did. */
const SUSPICIOUS: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'forbidden',
  'only-admins',
  'email-unverified',
  'missing-requested-with',
  'webhook-signature',
  'too-many-requests',
]);

/** Never with what was sent, which may be anything, and with who sent it only where that is suspicious. */
function logRefusal(request: FastifyRequest, { code, details }: Failure): void {
  const field = details[FIELD_AS_SENT] ? undefined : details.field;
  const what = { code, field, call: request.routeOptions.config.call };
  const who = { client: request.ip, user: bearerOf(request) };
  if (SUSPICIOUS.has(code)) request.log.warn({ ...what, ...who }, 'a request was refused');
  else request.log.info(what, 'a request was refused');
}

function problemOf(failure: Failure, requestId: string, locale?: Language): Problem {
  const { code, details } = failure;
  const carried = CARRIED[code]?.map((name) => [name, details[name] ?? '']);
  return {
    type: problemType(code),
    title: problemTitle(code),
    status: statusOf(code),
    detail: failureSentence(failure, { locale: locale ?? FIRST_LANGUAGE }),
    code,
    ...(details.field === undefined ? {} : { field: String(details.field) }),
    ...(carried === undefined ? {} : { details: Object.fromEntries(carried) }),
    requestId,
  };
}

/** Answers what Node could not read as a request. */
export function answerUnreadable({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return;
  const failure = UNREADABLE[code] ?? unreadable();
  const id = newRequestId();
  const body = JSON.stringify(problemOf(failure, id));
  const status = statusOf(failure.code);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `${REQUEST_ID_HEADER}: ${id}`,
    'Connection: close',
  ];
  socket.write(`${[...head, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

type ConnectionError = { readonly code: string };

const UNREADABLE: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: new Failure('headers-too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: new Failure('request-timeout'),
};

/** What is over by itself, so that the caller may try again. */
const PASSING: ReadonlySet<FailureCode> = new Set<FailureCode>(['too-busy', 'out-of-order', 'photo-not-kept']);

/** RFC 9457 (decisions §6), in the language of the page that asks; a page for a person who opened the address. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  // A person opened a link of a mail, or a download.
  const isOpened = request.headers['sec-fetch-mode'] === 'navigate';
  const accepted = request.headers['accept-language'];
  const language = isOpened ? preferredLanguage(accepted) : languageNamed(accepted);
  const problem = problemOf(failure, request.id, language);
  const { status } = problem;
  if (status < 500) logRefusal(request, failure);
  if (status === 401) void reply.header('www-authenticate', challengeOf(failure.code));
  if (status === 429) void reply.header('retry-after', String(failure.details.seconds ?? 60));
  if (PASSING.has(failure.code)) void reply.header('retry-after', String(BUSY_SECONDS));
  void reply.headers({ 'cache-control': 'no-store', 'content-language': language }).status(status);
  if (isOpened) {
    void reply.header('content-security-policy', PROBLEM_PAGE_POLICY).type('text/html; charset=utf-8');
    return reply.send(problemPage(problem, request.routeOptions.config.call, language));
  }
  return reply.type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** RFC 6750 and 9470: the error is named only where a token was sent. */
function challengeOf(code: FailureCode): string {
  if (code === 'proof-required' || code === 'mail-proof-required') {
    return 'Bearer error="insufficient_user_authentication", max_age=3600';
  }
  return code === 'token-invalid' || code === 'token-stale' ? 'Bearer error="invalid_token"' : 'Bearer';
}

/**
 * Answers every error with a problem document. Unexpected ones are logged in full, but callers learn only that it
 * failed.
 */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: ServerError | Failure, request, reply) => {
    const failure = expectedFailure(error) ?? hangUp(request);
    if (failure) return sendProblem(request, reply, failure);
    request.log.error({ err: error }, 'a request failed');
    return sendProblem(request, reply, new Failure(isUnavailable(error) ? 'out-of-order' : 'server-error'));
  });
}

function expectedFailure(error: ServerError | Failure): Failure | undefined {
  if (error instanceof Failure) return error;
  const known = FASTIFY_CODES[error.code];
  if (known) return known;
  return isCallersFault(error) ? unreadable() : undefined;
}

/** The caller disconnected before the request was complete; nobody reads the answer. */
function hangUp({ raw }: FastifyRequest): Failure | undefined {
  return raw.destroyed && raw.complete === false ? INCOMPLETE : undefined;
}

/** Our own 4xx. A 4xx from another service that we called is our fault. */
function isCallersFault({ code, statusCode = 500, expose = false }: ServerError): boolean {
  return statusCode >= 400 && statusCode < 500 && (expose || String(code).startsWith('FST_'));
}

/** Names the field, so that a form can show the error there. */
export function aboutField(field: string, failure: Failure | undefined): Failure | undefined {
  return failure && new Failure(failure.code, { ...failure.details, field });
}
