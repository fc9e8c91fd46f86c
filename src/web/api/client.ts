import { CALLS, type CallName, type CallParams, callPath, LINES_HEADER, NEXT_CURSOR_HEADER } from '#contract/calls.ts';
import type { Answer, SentBody, SentQuery } from '#contract/schemas.ts';
import { ApiProblem, OfflineError, problemOf } from './api-error.ts';
import { readFile, sendForm } from './transfer.ts';

type ParamsPart<Name extends CallName> = keyof CallParams<Name> extends never
  ? { readonly params?: undefined }
  : { readonly params: CallParams<Name> };
type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

/** What a call needs: its path's parameters, its query and its body, as the contract has them. */
type CallInput<Name extends CallName> = ParamsPart<Name> &
  Part<'query', SentQuery<Name>> &
  Part<'body', SentBody<Name>> & { readonly signal?: AbortSignal };

type UploadInput<Name extends CallName> = ParamsPart<Name> & {
  readonly form: FormData;
  /** Told how much is sent, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
};

/** The calls whose answer is a list. */
type ListName = { [Name in CallName]: Answer<Name> extends readonly unknown[] ? Name : never }[CallName];
export type ListAnswer<Name extends ListName> = {
  readonly items: Answer<Name>;
  /** The id to go on from, or nothing when this is the end. */
  readonly nextCursor: string | undefined;
};

/**
 * The one way to the program's calls. Every method throws ApiProblem when the call is refused and OfflineError when
 * nobody answers; an aborted `signal` throws its own reason.
 */
export type ApiClient = {
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<Answer<Name>>;
  list<Name extends ListName>(name: Name, input: CallInput<Name>): Promise<ListAnswer<Name>>;
  /** A call whose content is a multipart form. */
  upload<Name extends CallName>(name: Name, input: UploadInput<Name>): Promise<Answer<Name>>;
  /** A call whose answer is a file of lines. `onProgress` is told how much of it has come, from 0 to 1. */
  download<Name extends CallName>(
    name: Name,
    input: CallInput<Name> & { readonly onProgress?: (fraction: number) => void },
  ): Promise<Blob>;
};

/** A call with this token, or as a visitor's. */
export type MakeCall<T> = (token: string | undefined) => Promise<T>;

/** Whoever is signed in, as far as calls need it. */
export type Bearer = {
  /** The identity token, when somebody is signed in (§7). */
  readonly token: () => string | undefined;
  /** What becomes of a call that was refused with a token: it may be made once more, or be refused for good. */
  readonly retry: <T>(refused: Refused, make: MakeCall<T>) => Promise<T>;
};

/** A call that was refused. */
export type Refused = {
  readonly error: ApiProblem;
  /** The token that it was made with. */
  readonly token: string;
  /** Whether it changes nothing, so that it may be made as a visitor's too. */
  readonly isRead: boolean;
};

type ApiClientOptions = {
  /** The origin of the calls; '' is the page's own. */
  readonly base?: string;
  readonly fetch?: typeof fetch;
  readonly bearer?: Bearer;
};

/** The session's cookie alone says whose they are: they must work where the token has ended. */
const BY_COOKIE: readonly CallName[] = ['readToken', 'signOut'];

type AnyInput = {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
};

export function createApiClient(options: ApiClientOptions = {}): ApiClient {
  const { base = '', bearer } = options;
  const send = (name: CallName, input: AnyInput): Promise<Response> =>
    asBearer(bearer, name, async (token) => {
      const request = requestFor(name, input, token);
      // Looked up at each call, so that a fetch replaced later (a service of tests) is the one used.
      const answer = await reached((options.fetch ?? fetch)(base + addressOf(name, input), request), input.signal);
      if (!answer.ok) throw problemOf(answer.status, await reached(answer.text(), input.signal));
      return answer;
    });
  return {
    // The contract is what says which answer a call has; the server is held to it by the same schemas.
    call: async (name, input) => reached((await send(name, input)).json(), input.signal),
    list: async (name, input) => {
      const answer = await send(name, input);
      const items = await reached(answer.json(), input.signal);
      return { items, nextCursor: answer.headers.get(NEXT_CURSOR_HEADER) ?? undefined };
    },
    upload: async (name, { params, form, onProgress, signal }) => {
      const url = base + addressOf(name, { params });
      const { method } = CALLS[name];
      const sent = asBearer(bearer, name, (token) =>
        sendForm({ url, method, headers: headersFor(token), form, onProgress, signal }),
      );
      return JSON.parse(await sent);
    },
    download: async (name, input) => {
      const { onProgress } = input;
      const answer = await send(name, input);
      const lines = Number(answer.headers.get(LINES_HEADER) ?? 0);
      return reached(readFile(answer, lines, onProgress), input.signal);
    },
  };
}

/** Makes a call with the bearer's token. Where that is why it was refused, what to do is the session's to say. */
async function asBearer<T>(bearer: Bearer | undefined, name: CallName, make: MakeCall<T>): Promise<T> {
  const token = BY_COOKIE.includes(name) ? undefined : bearer?.token();
  try {
    return await make(token);
  } catch (error) {
    if (!bearer || !token || !(error instanceof ApiProblem) || error.status !== 401) throw error;
    return bearer.retry({ error, token, isRead: CALLS[name].method === 'GET' }, make);
  }
}

function addressOf(name: CallName, { params = {}, query = {} }: AnyInput): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (typeof value === 'string' || typeof value === 'number') search.set(key, String(value));
  }
  const path = callPath(name, params as CallParams<CallName>);
  return search.size > 0 ? `${path}?${search}` : path;
}

/** Fetch options of §7: cookies, cors, no cache, and its headers. */
function requestFor(name: CallName, { body, signal }: AnyInput, token: string | undefined): RequestInit {
  const headers = headersFor(token);
  const request: RequestInit = {
    method: CALLS[name].method,
    credentials: 'include',
    mode: 'cors',
    cache: 'no-store',
    headers,
  };
  if (signal) request.signal = signal;
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
    request.body = JSON.stringify(body);
  }
  return request;
}

function headersFor(token: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' };
  if (token) headers.Authorization = `Bearer ${token}`;
  return headers;
}

/** A promise of the network, whose failure means that nobody answered. */
async function reached<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw signal?.aborted ? error : new OfflineError(error);
  }
}

/** Where a page was loaded from: what `window.location` tells. */
type PageHost = Pick<Location, 'protocol' | 'hostname' | 'port'>;

/** A service of its own for the calls of one host. */
type ApiService = { readonly host: string; readonly origin: string };

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const LOCAL_API_PORT = '8080';
/** Vite's own server, which holds the pages while they are being written, but no calls. */
const PAGES_ONLY_PORT = '5173';

/**
 * The origin that the calls go to, chosen by the page's host (§7, decisions §6): '' is the same origin.
 * Local pages served apart from the program go to port 8080; a host of the table goes to its service. Where the
 * table names services and this host is none of them, that is logged, and the same origin is tried.
 */
export function apiBase(page: PageHost, services: readonly ApiService[], log: (message: string) => void): string {
  if (LOCAL_HOSTS.includes(page.hostname)) {
    return page.port === PAGES_ONLY_PORT ? `${page.protocol}//${page.hostname}:${LOCAL_API_PORT}` : '';
  }
  const service = services.find(({ host }) => host === page.hostname);
  if (service) return service.origin;
  if (services.length > 0) log("Can't find api url");
  return '';
}

/** The table of hosts as the build was told it: "dev.example.org=https://api.dev.example.org www…=…". */
export function parseServices(table: string): ApiService[] {
  return table.split(/\s+/).flatMap((entry) => {
    const [host, origin] = entry.split('=');
    return host && origin ? [{ host, origin }] : [];
  });
}
