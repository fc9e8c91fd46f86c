import { API_BASE, CALLS, type CallName } from '#contract/calls.ts';
import { matchPath } from '#contract/path-pattern.ts';
import { PROBLEM_TYPE } from '#contract/problem.ts';
import { type CallSchema, SCHEMAS } from '#contract/schemas.ts';
import type { FailureCode } from '#domain/failures.ts';
import { FAILURES } from '#domain/server-failures.ts';
import { getStatus } from '#server/http/problems.ts';
import { CALL_ROWS } from '../permissions/call-rows.ts';
import type { Caller, Orgs } from '../permissions/callers.ts';
import type { SentRequest } from './random-request.ts';

export type ReceivedResponse = { readonly status: number; readonly type: string; readonly body: Buffer };

export type Sender = {
  readonly caller: Caller;
  readonly orgs: Orgs;
  /** The header of a caller who has a token. */
  readonly authorization: string | undefined;
};

/** Failures caused by the provider or another service. */
const EXPECTED_FAILURES =
  /^(payment-unavailable|refund-unavailable|gift(s?)-not-(stopped|changed)|checkout-not-closed|google-unavailable)$/;
/** @returns the problem with a response, if any */
export async function findProblem(
  sentRequest: SentRequest,
  { status, type, body }: ReceivedResponse,
  sender: Sender,
): Promise<string | undefined> {
  if (status >= 500) {
    const code = parseProblem(body)?.code ?? '';
    return status === 503 && EXPECTED_FAILURES.test(code)
      ? undefined
      : `a failure: ${status} ${body.toString().slice(0, 200)}`;
  }
  if (status >= 400) return findErrorProblem(sentRequest, { status, type, body });
  if (status < 200 || status >= 300) return `neither a success nor an error: ${status}`;
  return findSuccessProblem(sentRequest, { status, type, body }, sender);
}

type Problem = { readonly code: FailureCode; readonly status: number; readonly detail: string };

function parseProblem(body: Buffer): Problem | undefined {
  try {
    return JSON.parse(body.toString()) as Problem;
  } catch {
    return undefined;
  }
}

function findErrorProblem({ method }: SentRequest, { status, type, body }: ReceivedResponse): string | undefined {
  if (method === 'HEAD') return undefined;
  const problem = parseProblem(body);
  if (!type.startsWith(PROBLEM_TYPE) || !problem) return `an error response without problem+json: ${status} ${type}`;
  if (!Object.hasOwn(FAILURES, problem.code)) return `an unknown problem code: ${problem.code}`;
  if (getStatus(problem.code) !== status || problem.status !== status)
    return `a status that doesn't match its code: ${status} ${problem.code}`;
  return problem.detail.length < 10 || /[{}]|undefined|\[object/.test(removeQuotedText(problem.detail))
    ? `an unfilled sentence: ${problem.detail}`
    : undefined;
}

/** Echoed input must be in quotation marks. */
function removeQuotedText(text: string): string {
  return text.replace(/["“].*["”]/s, '').replace(/^Not a valid email: .*/s, 'Not a valid email');
}

async function findSuccessProblem(
  sentRequest: SentRequest,
  { type, body }: ReceivedResponse,
  sender: Sender,
): Promise<string | undefined> {
  const { method, url, headers } = sentRequest;
  const [path = '', search = ''] = url.replace(/#.*/s, '').split(/\?(.*)/s);
  const route = findRoute(method === 'HEAD' ? 'GET' : method, path);
  if (!route) return 'a response for an unknown call';
  const { name, params } = route;
  const schema: CallSchema = SCHEMAS[name];
  if (CALLS[name].method !== 'GET' && !headers['x-requested-with']) return 'a change without X-Requested-With';
  if (!isPermitted(name, params, sentRequest, sender)) return `a response to ${sender.caller}, who isn't permitted`;
  if (schema.params && !schema.params.safeParse(params).success) return 'a response to invalid ids';
  if (schema.query && !schema.query.safeParse(parseQuery(search)).success) return 'a response to an invalid query';
  const inputProblem = await findInputProblem(schema, sentRequest);
  if (inputProblem !== undefined) return inputProblem;
  return method === 'HEAD' ? undefined : findResponseProblem(schema, type, body);
}

function findRoute(method: string, path: string): { name: CallName; params: Record<string, string> } | undefined {
  const names = (Object.keys(CALLS) as CallName[]).filter((name) => CALLS[name].method === method);
  // Literal segments take precedence over parameters.
  const sortedNames = names.toSorted((a, b) => CALLS[a].path.split(':').length - CALLS[b].path.split(':').length);
  for (const name of sortedNames) {
    const params = matchPath(API_BASE + CALLS[name].path, path);
    if (params) return { name, params };
  }
  return undefined;
}

function isPermitted(
  name: CallName,
  params: Readonly<Record<string, string>>,
  { headers, body }: SentRequest,
  sender: Sender,
): boolean {
  const { orgs, authorization } = sender;
  // A request with a changed token has no caller, and one without a token is a visitor's.
  const isOwnToken = headers.authorization === authorization || headers.authorization === undefined;
  const caller = headers.authorization === undefined && authorization !== undefined ? 'visitor' : sender.caller;
  const place = params.orgid === orgs['other organization'] ? 'other organization' : 'own organization';
  const isKnownOrg = params.orgid === undefined || Object.values(orgs).includes(params.orgid);
  if (!isOwnToken || !isKnownOrg) return false;
  if (CALL_ROWS[name].outcomes(place)[caller] === 'done') return true;
  // Admins may also change the slug alone (§6).
  return (
    name === 'editOrg' && caller === 'admin' && /^\s*\{\s*"slug"\s*:\s*"[^"]*"\s*\}\s*$/.test(body?.toString() ?? '')
  );
}

function parseQuery(search: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(search)) {
    const queryValue = Object.hasOwn(query, key) ? query[key] : undefined;
    query[key] = queryValue === undefined ? value : [...[queryValue].flat(), value];
  }
  return query;
}

/** @returns the problem with the accepted content, if any */
async function findInputProblem(
  schema: CallSchema,
  { headers, body = Buffer.alloc(0) }: SentRequest,
): Promise<string | undefined> {
  const type = headers['content-type'] ?? '';
  if (schema.body) {
    if (!/^application\/json\s*(;|$)/i.test(type)) return `a body of the type ${type} was accepted`;
    const text = body.toString();
    if (/"__proto__"\s*:/.test(text)) return 'a body with __proto__ was accepted';
    const value = parseProblem(Buffer.from(text.replace(/^\ufeff/, '')));
    return schema.body.safeParse(value).success ? undefined : 'a body that does not fit its schema was accepted';
  }
  if (!schema.form) return undefined;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  if (!form) return 'a form that cannot be read was accepted';
  const texts = [...form.entries()].flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] as const] : [],
  );
  const names = texts.map(([key]) => key);
  if (new Set(names).size < names.length) return 'a form with a repeated field was accepted';
  const fields = Object.fromEntries(texts.map(([key, value]) => [key, value.replace(/\r\n/g, '\n')]));
  return schema.form.safeParse(fields).success ? undefined : 'a form that does not fit its schema was accepted';
}

function findResponseProblem({ response, responseType }: CallSchema, type: string, body: Buffer): string | undefined {
  if (responseType) return type.startsWith(responseType) ? undefined : `a file of the type ${type}`;
  const content: unknown = parseProblem(body);
  const result = response.safeParse(content);
  if (!result.success) return `a response that does not fit its schema: ${result.error.message.slice(0, 200)}`;
  return JSON.stringify(result.data) === JSON.stringify(content)
    ? undefined
    : 'a response with fields outside its schema';
}
