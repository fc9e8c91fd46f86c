import { createHash, randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { html } from '#server/http/html.ts';
import {
  buildPersonClaims,
  createTokenMaker,
  type ProviderFault,
  type ProviderPerson,
  type TokenMaker,
} from './openid-tokens.ts';

/** The query of the provider URL that the program redirects a browser to. */
export type AuthorizationQuery = Readonly<Record<string, string>>;

/**
 * An identity provider like Google on its own port: OpenID Connect with discovery, a page with one button, single-use
 * codes, PKCE, a client secret, and published keys. Close it after use.
 */
export type OpenIdProvider = {
  readonly url: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string; readonly discoveryUrl: string };
  /** Environment variables for the program. */
  readonly env: Readonly<Record<string, string>>;
  /** The provider's accounts. The page logs in the account named by the hint, or the first one. */
  people: readonly ProviderPerson[];
  /** The fault that the provider simulates. */
  fault: ProviderFault | undefined;
  /** The queries of all redirected browsers, oldest first. */
  readonly queries: readonly AuthorizationQuery[];
  /** Opens the provider's page and submits it. @returns the address to which the browser is redirected */
  confirmLogin(pageUrl: string): Promise<string>;
  close(): Promise<void>;
};

type PendingGrant = { readonly query: AuthorizationQuery; readonly person: ProviderPerson };
type State = {
  readonly provider: OpenIdProvider;
  readonly tokens: TokenMaker;
  /** Open pages, unused codes, and access tokens. */
  readonly pages: Map<string, PendingGrant>;
  readonly codes: Map<string, PendingGrant>;
  readonly accessTokens: Map<string, ProviderPerson>;
  readonly queries: AuthorizationQuery[];
};

const GRACE: ProviderPerson = { sub: '100001', email: 'grace@example.org', emailVerified: true, name: 'Grace Google' };
const CLIENT_ID = 'city-climate-fund.apps.example';
const CLIENT_SECRET = 'the secret of the client';
const CALLBACK = '/api/auth/callback/google';

/** @param port 0 for any free port */
export async function startOpenIdProvider(port = 0): Promise<OpenIdProvider> {
  const app = Fastify();
  const requests: AuthorizationQuery[] = [];
  const provider: { -readonly [Key in keyof OpenIdProvider]: OpenIdProvider[Key] } = {
    url: '',
    client: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, discoveryUrl: '' },
    env: {},
    people: [GRACE],
    fault: undefined,
    queries: requests,
    confirmLogin: (pageUrl) => confirmLogin(provider.url, pageUrl),
    close: () => app.close(),
  };
  const state = {
    provider,
    queries: requests,
    tokens: await createTokenMaker(),
    pages: new Map(),
    codes: new Map(),
    accessTokens: new Map(),
  };
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  addDiscoveryRoutes(app, state);
  addPageRoutes(app, state);
  addTokenRoutes(app, state);
  provider.url = await app.listen({ port, host: '127.0.0.1' });
  const discoveryUrl = `${provider.url}/.well-known/openid-configuration`;
  provider.client = { ...provider.client, discoveryUrl };
  provider.env = {
    GOOGLE_CLIENT_ID: CLIENT_ID,
    GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
    TEST_SETTINGS: `google=${discoveryUrl}`,
  };
  return provider;
}

function addDiscoveryRoutes(app: FastifyInstance, { provider, tokens }: State): void {
  app.get('/.well-known/openid-configuration', async () => ({
    issuer: provider.fault === 'other-issuer' ? 'https://accounts.example' : provider.url,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/token`,
    userinfo_endpoint: `${provider.url}/userinfo`,
    jwks_uri: `${provider.url}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    code_challenge_methods_supported: ['S256'],
  }));
  app.get('/keys', async () => tokens.jwks);
}

function addPageRoutes(app: FastifyInstance, state: State): void {
  const { provider, queries, pages, codes } = state;
  app.get<{ Querystring: AuthorizationQuery }>('/authorize', async ({ query }, reply) => {
    const problem = findProblem(query);
    if (problem) return reply.status(400).send({ error: 'invalid_request', error_description: problem });
    queries.push(query);
    const person = provider.people.find(({ email }) => email === query.login_hint) ?? provider.people[0] ?? GRACE;
    const id = randomSecret();
    pages.set(id, { query, person });
    return reply.type('text/html; charset=utf-8').send(renderPage(id, person));
  });
  app.post<{ Body: AuthorizationQuery }>('/continue', async ({ body }, reply) => {
    const pendingGrant = takeGrant(pages, body.page);
    if (!pendingGrant) return reply.status(400).send({ error: 'invalid_request' });
    const redirectUrl = new URL(pendingGrant.query.redirect_uri ?? '');
    redirectUrl.searchParams.set('state', pendingGrant.query.state ?? '');
    if (provider.fault === 'denied') {
      redirectUrl.searchParams.set('error', 'access_denied');
      return reply.redirect(redirectUrl.href, 303);
    }
    const code = randomSecret();
    codes.set(code, pendingGrant);
    redirectUrl.searchParams.set('code', code);
    return reply.redirect(redirectUrl.href, 303);
  });
}

/** Requires PKCE and a nonce, although the protocol makes them optional. */
function findProblem(query: AuthorizationQuery): string | undefined {
  if (query.client_id !== CLIENT_ID) return 'unknown client';
  if (URL.parse(query.redirect_uri ?? '')?.pathname !== CALLBACK) return 'the redirect address is not registered';
  if (query.response_type !== 'code') return 'response_type must be code';
  if (!query.scope?.split(' ').includes('openid')) return 'the scope openid is missing';
  if (!query.state) return 'the state is missing';
  if (!query.nonce) return 'the nonce is missing';
  if (query.code_challenge_method !== 'S256') return 'code_challenge_method must be S256';
  return /^[\w-]{43}$/.test(query.code_challenge ?? '') ? undefined : 'the code challenge is malformed';
}

function renderPage(id: string, { email }: ProviderPerson): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Sign in with the stand-in for Google</title></head>
<body><main><h1>Sign in to City Climate Fund</h1>
<form method="post" action="/continue"><input type="hidden" name="page" value="${id}"><button>Continue as ${email}</button></form>
</main></body></html>
`.text;
}

function addTokenRoutes(app: FastifyInstance, { provider, tokens, codes, accessTokens }: State): void {
  app.post<{ Body: AuthorizationQuery }>('/token', async ({ headers, body }, reply) => {
    if (provider.fault === 'unavailable') return reply.status(503).send({ error: 'temporarily_unavailable' });
    if (!hasSecret(headers.authorization, body)) return sendError(reply.status(401), 'invalid_client');
    // A code is used up even if the request is rejected.
    const pendingGrant = takeGrant(codes, body.code);
    if (!pendingGrant || !isMatching(pendingGrant.query, body)) return sendError(reply.status(400), 'invalid_grant');
    const { person, query } = pendingGrant;
    const accessToken = randomSecret();
    accessTokens.set(accessToken, person);
    const facts = { issuer: provider.url, clientId: CLIENT_ID, person, nonce: query.nonce ?? '', accessToken };
    const idToken = await tokens.make({ ...facts, fault: provider.fault });
    return reply.header('cache-control', 'no-store').send({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3600,
      scope: query.scope,
      ...(provider.fault === 'no-id-token' ? {} : { id_token: idToken }),
    });
  });
  app.get('/userinfo', async ({ headers }, reply) => {
    const person = accessTokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '');
    return person ? buildPersonClaims(person) : sendError(reply.status(401), 'invalid_token');
  });
}

/** The client authenticates with the form or with HTTP Basic (RFC 6749 §2.3.1). */
function hasSecret(authorization: string | undefined, { client_id, client_secret }: AuthorizationQuery): boolean {
  const basic = /^Basic (.+)$/i.exec(authorization ?? '')?.[1];
  if (basic === undefined) return client_id === CLIENT_ID && client_secret === CLIENT_SECRET;
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':');
  return decodeURIComponent(id) === CLIENT_ID && decodeURIComponent(secret.replaceAll('+', ' ')) === CLIENT_SECRET;
}

/** True if the client that started the login redeems the code: PKCE (RFC 7636 §4.6) and the same redirect address. */
function isMatching(
  query: AuthorizationQuery,
  { grant_type, redirect_uri, code_verifier }: AuthorizationQuery,
): boolean {
  const challenge = createHash('sha256')
    .update(code_verifier ?? '')
    .digest('base64url');
  return (
    grant_type === 'authorization_code' && redirect_uri === query.redirect_uri && challenge === query.code_challenge
  );
}

async function confirmLogin(url: string, pageUrl: string): Promise<string> {
  const openedPage = await fetch(pageUrl);
  const id = /name="page" value="([^"]+)"/.exec(await openedPage.text())?.[1];
  if (!id) throw new Error(`The provider rejected the page: ${openedPage.status}`);
  const body = new URLSearchParams({ page: id });
  const continueResponse = await fetch(`${url}/continue`, { method: 'POST', body, redirect: 'manual' });
  await continueResponse.body?.cancel();
  return continueResponse.headers.get('location') ?? '';
}

function sendError(reply: FastifyReply, error: string): FastifyReply {
  return reply.send({ error });
}

function takeGrant(grants: Map<string, PendingGrant>, id: string | undefined): PendingGrant | undefined {
  const grant = grants.get(id ?? '');
  grants.delete(id ?? '');
  return grant;
}

function randomSecret(): string {
  return randomBytes(24).toString('base64url');
}
