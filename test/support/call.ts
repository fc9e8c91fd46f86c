import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { CALLS, type CallName, type CallParams, callPath } from '#contract/calls.ts';
import type { SignedInPerson } from './sign-in.ts';

export type CallOptions<Name extends CallName> = {
  readonly params: CallParams<Name>;
  /** The caller; a visitor by default. */
  readonly as?: Pick<SignedInPerson, 'headers'> | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The client's IP address. */
  readonly ipAddress?: string;
  /** The page's language. */
  readonly language?: string;
};

/** Makes a call the way a browser does. */
export function call<Name extends CallName>(
  app: FastifyInstance,
  name: Name,
  { params, as, query, body, ipAddress, language }: CallOptions<Name>,
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: CALLS[name].method,
    url: callPath(name, params),
    headers: {
      'x-requested-with': 'test',
      ...as?.headers,
      ...(language === undefined ? {} : { 'accept-language': language }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(query === undefined ? {} : { query }),
    ...(ipAddress === undefined ? {} : { remoteAddress: ipAddress }),
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
}

/** The status and, for an error, its code. */
export function readOutcome(response: LightMyRequestResponse): [status: number, code?: string] {
  return response.statusCode < 400
    ? [response.statusCode]
    : [response.statusCode, response.json<{ code: string }>().code];
}
