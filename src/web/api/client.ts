import type { CallName, CallParams } from '#contract/calls.ts';
import type { BodyInput, QueryInput, ResponseBody } from '#contract/schemas.ts';
import {
  endpointPath,
  LINE_COUNT_HEADER,
  NEXT_CURSOR_HEADER,
  POSITION_HEADER,
  VISITOR_CALLS,
} from '#contract/visitor-calls.ts';
import { LANGUAGE } from '#messages';
import { ApiProblem, toApiProblem, withOfflineError } from './api-error.ts';

type ParamsInput<Name extends CallName> = keyof CallParams<Name> extends never
  ? { readonly params?: undefined }
  : { readonly params: CallParams<Name> };
type OptionalInput<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : Record<never, never> extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

/** Path parameters, query, and body, as the contract defines them. */
export type CallInput<Name extends CallName> = ParamsInput<Name> &
  OptionalInput<'query', QueryInput<Name>> &
  OptionalInput<'body', BodyInput<Name>> & { readonly signal?: AbortSignal };

type UploadInput<Name extends CallName> = ParamsInput<Name> & {
  readonly form: FormData;
  /** Receives the fraction sent so far, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
};

export type ListItem = { readonly id: string; readonly createdTimestamp?: string };

export type ListName = { [Name in CallName]: ResponseBody<Name> extends readonly ListItem[] ? Name : never }[CallName];
export type ItemOf<Name extends ListName> =
  ResponseBody<Name> extends readonly (infer Item extends ListItem)[] ? Item : never;

/** A loaded page of a list. */
export type LoadedPage<Item> = {
  readonly items: readonly Item[];
  /** The cursor of the next page; undefined on the last page. */
  readonly nextCursor: string | undefined;
  /** The number of rows before this page, for lists that count them. */
  readonly position?: number | undefined;
};

/**
 * Calls the API. Every method throws ApiProblem if the call is rejected, OfflineError if the network fails (§8), and the
 * signal's reason if `signal` is aborted.
 */
export type ApiClient = {
  /** The origin of the API; '' is the page's origin. */
  readonly base: string;
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<ResponseBody<Name>>;
  list<Name extends ListName>(name: Name, input: CallInput<Name>): Promise<LoadedPage<ItemOf<Name>>>;
  upload<Name extends CallName>(name: Name, input: UploadInput<Name>): Promise<ResponseBody<Name>>;
  /** Calls `listener` after every call that changed data. @returns a function that unsubscribes */
  onChange(listener: () => void): () => void;
  /** Downloads a file, such as a CSV file. `onProgress` gets the fraction received so far, from 0 to 1. */
  download<Name extends CallName>(
    name: Name,
    input: CallInput<Name> & { readonly onProgress?: (fraction: number) => void },
  ): Promise<Blob>;
};

/** Makes a call with a token, or as a visitor if there is none. */
export type MakeCall<T> = (token: string | undefined) => Promise<T>;

export type TokenSource = {
  /** Identity token of the logged-in user (§7). */
  readonly token: () => string | undefined;
  /** Retries a call whose token was rejected. Rejects if the call still fails. */
  readonly retry: <T>(failedCall: FailedCall, makeCall: MakeCall<T>) => Promise<T>;
};

export type FailedCall = {
  readonly error: ApiProblem;
  readonly token: string;
  /** True for a read, which can be retried without logging in. */
  readonly isRead: boolean;
};

type ApiClientOptions = {
  /** The origin of the API; '' for the page's origin. */
  readonly base?: string;
  readonly fetch?: typeof fetch;
  readonly bearer?: TokenSource;
};

/** Loaded on demand: most visitors never upload or download a file. */
const loadTransfer = () => import('./transfer.ts');

/** A call's method and path; `changes` is false if the call leaves loaded data valid. */
type Endpoint = { readonly method: string; readonly path: string; readonly changes?: boolean };

function isVisitorCall(name: CallName): name is keyof typeof VISITOR_CALLS {
  return Object.hasOwn(VISITOR_CALLS, name);
}

/** Looks up a call in a table that loads on demand, because most visitors never need it. @throws OfflineError */
async function findSignedInEndpoint(
  name: Exclude<CallName, keyof typeof VISITOR_CALLS>,
  signal: AbortSignal | undefined,
): Promise<Endpoint> {
  const { SIGNED_IN_CALLS } = await withOfflineError(import('#contract/signed-in-calls.ts'), signal);
  return SIGNED_IN_CALLS[name];
}

/** Calls authenticated only by the session cookie, because the token may have expired. */
const COOKIE_ONLY_CALLS: readonly CallName[] = ['readToken', 'signOut'];

type AnyInput = {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
};

export function createApiClient(options: ApiClientOptions = {}): ApiClient {
  const { base = '', bearer } = options;
  const listeners = new Set<() => void>();
  const reportChange = ({ method, changes = true }: Endpoint) => {
    if (method !== 'GET' && changes) for (const listener of listeners) listener();
  };
  const send = async (name: CallName, input: AnyInput): Promise<Response> => {
    const endpoint = isVisitorCall(name) ? VISITOR_CALLS[name] : await findSignedInEndpoint(name, input.signal);
    const successfulResponse = await sendWithToken(bearer, { name, endpoint }, async (token) => {
      const request = buildRequest(endpoint, input, token);
      // `fetch` is looked up on each call, since tests replace it.
      const responsePromise = (options.fetch ?? fetch)(base + buildPath(endpoint, input), request);
      const response = await withOfflineError(responsePromise, input.signal);
      if (!response.ok) throw toApiProblem(response.status, await withOfflineError(response.text(), input.signal));
      return response;
    });
    reportChange(endpoint);
    return successfulResponse;
  };
  return {
    base,
    call: async (name, input) => readResponse(await send(name, input), input.signal),
    list: async (name, input) => {
      const response = await send(name, input);
      const items = await readResponse<readonly ItemOf<typeof name>[]>(response, input.signal);
      const position = response.headers.get(POSITION_HEADER);
      return {
        items,
        nextCursor: response.headers.get(NEXT_CURSOR_HEADER) ?? undefined,
        position: position === null ? undefined : Number(position),
      };
    },
    upload: async (name, { params, form, onProgress, signal }) => {
      const endpoint = isVisitorCall(name) ? VISITOR_CALLS[name] : await findSignedInEndpoint(name, signal);
      const url = base + buildPath(endpoint, { params });
      const { method } = endpoint;
      const { sendForm } = await withOfflineError(loadTransfer(), signal);
      const response = await sendWithToken(bearer, { name, endpoint }, (token) =>
        sendForm({ url, method, headers: buildHeaders(token), form, onProgress, signal }),
      );
      reportChange(endpoint);
      return JSON.parse(response);
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    download: async (name, input) => {
      const { onProgress } = input;
      const { downloadFile } = await withOfflineError(loadTransfer(), input.signal);
      const response = await send(name, input);
      const lineCountText = response.headers.get(LINE_COUNT_HEADER);
      const lineCount = lineCountText === null ? undefined : Number(lineCountText);
      return withOfflineError(downloadFile(response, lineCount, onProgress), input.signal);
    },
  };
}

/** Makes a call with the bearer's token. If the token is rejected, `bearer` may retry the call. */
async function sendWithToken<T>(
  bearer: TokenSource | undefined,
  { name, endpoint }: { readonly name: CallName; readonly endpoint: Endpoint },
  makeCall: MakeCall<T>,
): Promise<T> {
  const token = COOKIE_ONLY_CALLS.includes(name) ? undefined : bearer?.token();
  try {
    return await makeCall(token);
  } catch (error) {
    if (!bearer || !token || !(error instanceof ApiProblem) || error.status !== 401) throw error;
    return bearer.retry({ error, token, isRead: endpoint.method === 'GET' }, makeCall);
  }
}

function buildPath(endpoint: Endpoint, { params = {}, query = {} }: AnyInput): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (typeof value === 'string' || typeof value === 'number') search.set(key, String(value));
  }
  // The client's types check the parameters against the call's pattern.
  const path = endpointPath<string>(endpoint, params);
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The fetch options of §7. */
function buildRequest({ method }: Endpoint, { body, signal }: AnyInput, token: string | undefined): RequestInit {
  const headers = buildHeaders(token);
  const request: RequestInit = {
    method,
    credentials: 'include',
    mode: 'cors',
    cache: 'no-cache',
    headers,
  };
  if (signal) request.signal = signal;
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
    request.body = JSON.stringify(body);
  }
  return request;
}

function buildHeaders(token: string | undefined): Record<string, string> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'Accept-Language': LANGUAGE,
    'X-Requested-With': 'XMLHttpRequest',
  };
  if (token) headers.Authorization = `Bearer ${token}`;
  return headers;
}

/** Reads JSON as a value and anything else as text (§8). The server validates its JSON against the contract. */
async function readResponse<T>(response: Response, signal: AbortSignal | undefined): Promise<T> {
  const text = await withOfflineError(response.text(), signal);
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : (text as T);
}

/** The relevant parts of `window.location`. */
type PageHost = Pick<Location, 'protocol' | 'hostname' | 'port'>;

/** The API service for the pages of one host. */
type ApiService = { readonly host: string; readonly origin: string };

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const LOCAL_API_PORT = '8080';
/** Vite's development server, which has no API. */
const VITE_PORT = '5173';

/**
 * The origin of the API, by the page's host (§7, decisions §6); '' is the same origin. Vite's local pages use port 8080,
 * and the hosts in `services` use their service. Logs an error if there are services but none for this host.
 */
export function resolveApiBase(
  page: PageHost,
  services: readonly ApiService[],
  log: (message: string) => void,
): string {
  if (LOCAL_HOSTS.includes(page.hostname)) {
    return page.port === VITE_PORT ? `${page.protocol}//${page.hostname}:${LOCAL_API_PORT}` : '';
  }
  const service = services.find(({ host }) => host === page.hostname);
  if (service) return service.origin;
  if (services.length > 0) log("Can't find api url");
  return '';
}

/** @param setting the build setting: "dev.example.org=https://api.dev.example.org www…=…" */
export function parseServices(setting: string): ApiService[] {
  return setting.split(/\s+/).flatMap((entry) => {
    const [host, origin] = entry.split('=');
    return host && origin ? [{ host, origin }] : [];
  });
}
