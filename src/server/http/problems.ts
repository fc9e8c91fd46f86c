import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DEFAULT_LANGUAGE, detectPreferredLanguage, parseLanguage } from '#contract/languages.ts';
import { formatProblemTitle, getProblemType, PROBLEM_TYPE, type Problem } from '#contract/problem.ts';
import { Failure, type FailureCode } from '#domain/failures.ts';
import { FAILURES, failureSentence } from '#domain/server-failures.ts';
import { type Language, m } from '#messages';
import { isUnavailable } from '#server/db/unavailable.ts';
import { UNTRUSTED_FIELD_NAME } from './input.ts';
import { PROBLEM_PAGE_POLICY, renderProblemPage } from './problem-page.ts';
import { REQUEST_ID_HEADER } from './request-ids.ts';

const INCOMPLETE_FAILURE = new Failure('invalid-input', { problem: (options) => m.inputIncomplete({}, options) });

function createUnreadableFailure(): Failure {
  return new Failure('invalid-input', { problem: (options) => m.inputUnreadable({}, options) });
}

/** The failures that replace Fastify's own errors. */
const FASTIFY_FAILURES: Record<string, Failure> = {
  FST_ERR_CTP_BODY_TOO_LARGE: new Failure('body-too-large'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Failure('unsupported-media-type'),
  FST_ERR_CTP_EMPTY_JSON_BODY: new Failure('no-data'),
  FST_ERR_CTP_INVALID_JSON_BODY: new Failure('invalid-input', { problem: 'The request isn’t valid JSON.' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: INCOMPLETE_FAILURE,
  FST_REQ_FILE_TOO_LARGE: new Failure('photo-too-large'),
  FST_FILES_LIMIT: new Failure('invalid-input', { problem: (options) => m.inputOneFile({}, options) }),
  FST_FIELDS_LIMIT: new Failure('invalid-input', { problem: 'The form has too many fields.' }),
  FST_PARTS_LIMIT: new Failure('invalid-input', { problem: 'The form has too many parts.' }),
  FST_INVALID_MULTIPART_CONTENT_TYPE: new Failure('unsupported-media-type'),
  // A path outside the static files folder.
  FST_STATIC_FORBIDDEN_PATH: new Failure('call-not-found'),
};

/** Plugins set `expose` on errors that clients may see. */
type ServerError = FastifyError & { readonly expose?: boolean };

/** Seconds after which a client may retry if the site is busy. */
export const BUSY_RETRY_SECONDS = 10;
/** Seconds after which a client may retry if the database is down. Rejecting requests is cheap then. */
const OUTAGE_RETRY_SECONDS = 3;

export function getStatus(code: FailureCode): number {
  return FAILURES[code].status;
}

/** Failures that our own pages never cause. Their log lines contain the client's address. */
const SUSPICIOUS_CODES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'forbidden',
  'only-admins',
  'email-unverified',
  'missing-requested-with',
  'webhook-signature',
  'too-many-requests',
]);

/** Logs a rejected request without its content. Logs the client only if the failure is suspicious. */
function logFailure(request: FastifyRequest, { code, details }: Failure): void {
  const field = details[UNTRUSTED_FIELD_NAME] ? undefined : details.field;
  const logDetails = { code, field, call: request.routeOptions.config.call };
  const caller = { client: request.ip, user: request.userId };
  if (SUSPICIOUS_CODES.has(code)) request.log.warn({ ...logDetails, ...caller }, 'a request was rejected');
  else request.log.info(logDetails, 'a request was rejected');
}

function toProblem(failure: Failure, requestId: string, locale?: Language): Problem {
  const { code, details } = failure;
  const detailEntries = FAILURES[code].details?.map((name) => [name, details[name] ?? '']);
  return {
    type: getProblemType(code),
    title: formatProblemTitle(code),
    status: getStatus(code),
    detail: failureSentence(failure, { locale: locale ?? DEFAULT_LANGUAGE }),
    code,
    ...(details.field === undefined ? {} : { field: String(details.field) }),
    ...(detailEntries === undefined ? {} : { details: Object.fromEntries(detailEntries) }),
    requestId,
  };
}

/** Responds to bytes that Node can't parse as a request. */
export function rejectMalformedRequest({ code }: ConnectionError, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return;
  const failure = CONNECTION_FAILURES[code] ?? createUnreadableFailure();
  const id = randomUUID();
  const body = JSON.stringify(toProblem(failure, id));
  const status = getStatus(failure.code);
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

const CONNECTION_FAILURES: Readonly<Record<string, Failure>> = {
  HPE_HEADER_OVERFLOW: new Failure('headers-too-large'),
  ERR_HTTP_REQUEST_TIMEOUT: new Failure('request-timeout'),
};

/** Temporary failures, whose responses have a Retry-After header. */
const RETRYABLE_CODES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'too-busy',
  'database-unavailable',
  'photo-not-stored',
  'clock-wrong',
]);

/** Sends a problem (RFC 9457, decisions §6) in the page's language, or an HTML page if the URL was opened in a browser. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, failure: Failure): FastifyReply {
  // For example, a link in an email or a download.
  const isNavigation = request.headers['sec-fetch-mode'] === 'navigate';
  const acceptLanguage = request.headers['accept-language'];
  const language = isNavigation ? detectPreferredLanguage(acceptLanguage) : parseLanguage(acceptLanguage);
  const problem = toProblem(failure, request.id, language);
  const { status } = problem;
  if (status < 500) logFailure(request, failure);
  if (status === 401) void reply.header('www-authenticate', formatAuthenticateHeader(failure.code));
  if (status === 429) void reply.header('retry-after', String(failure.details.seconds ?? 60));
  const retrySeconds = failure.code === 'database-unavailable' ? OUTAGE_RETRY_SECONDS : BUSY_RETRY_SECONDS;
  if (RETRYABLE_CODES.has(failure.code)) void reply.header('retry-after', String(retrySeconds));
  void reply.headers({ 'cache-control': 'no-store', 'content-language': language }).status(status);
  if (isNavigation) {
    void reply.header('content-security-policy', PROBLEM_PAGE_POLICY).type('text/html; charset=utf-8');
    return reply.send(renderProblemPage(problem, request.routeOptions.config.call, language));
  }
  return reply.type(PROBLEM_TYPE).send(JSON.stringify(problem));
}

/** Includes an error only if the request has a token (RFC 6750 and 9470). */
function formatAuthenticateHeader(code: FailureCode): string {
  if (code === 'confirmation-required' || code === 'email-confirmation-required') {
    return 'Bearer error="insufficient_user_authentication", max_age=3600';
  }
  return code === 'token-invalid' || code === 'token-stale' ? 'Bearer error="invalid_token"' : 'Bearer';
}

/** Sends a problem for every error. Logs unexpected errors in full, without details in the response. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: ServerError | Failure, request, reply) => {
    const failure = toExpectedFailure(error) ?? findDisconnectFailure(request);
    if (failure) return sendProblem(request, reply, failure);
    request.log.error({ err: error }, 'a request failed');
    return sendProblem(request, reply, new Failure(isUnavailable(error) ? 'database-unavailable' : 'server-error'));
  });
}

function toExpectedFailure(error: ServerError | Failure): Failure | undefined {
  if (error instanceof Failure) return error;
  return FASTIFY_FAILURES[error.code] ?? (isClientError(error) ? createUnreadableFailure() : undefined);
}

/** Returns a failure if the client disconnected before the request was complete. */
function findDisconnectFailure({ raw }: FastifyRequest): Failure | undefined {
  return raw.destroyed && raw.complete === false ? INCOMPLETE_FAILURE : undefined;
}

/** Returns whether the client caused the error. A 4xx from a service that we called is a server error. */
function isClientError({ code, statusCode = 500, expose = false }: ServerError): boolean {
  return statusCode >= 400 && statusCode < 500 && (expose || String(code).startsWith('FST_'));
}

/** Adds the field to a failure, so that a form can show the error next to the field. */
export function addField(field: string, failure: Failure | undefined): Failure | undefined {
  return failure && new Failure(failure.code, { ...failure.details, field });
}
