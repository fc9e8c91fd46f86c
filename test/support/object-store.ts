import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** A server with the subset of S3 that pictures need, at URLs like /{bucket}/{name}. */
export type ObjectStore = {
  readonly endpoint: string;
  readonly objects: Map<string, { readonly bytes: Buffer; readonly type: string }>;
  /** Each request as `METHOD name`. */
  readonly requests: string[];
  /** Maximum names per listing. */
  maxListSize: number;
  /** Status of every response, if set. */
  failWith: number | undefined;
  /** If set, no request gets a response. With `after-handling`, the request is carried out anyway. */
  silent: boolean | 'after-handling';
  /** If set, files are sent byte by byte. */
  isDripping: boolean;
  /** Time before each response. */
  delayMs: number;
  close(): Promise<void>;
};

type Call = { readonly request: IncomingMessage; readonly name: string; readonly url: URL; readonly body: Buffer };
type Reply = { readonly status: number; readonly body?: string | Buffer; readonly type?: string };

/** @param accessKeyId the key that must sign requests */
export async function startObjectStore(bucket: string, accessKeyId: string): Promise<ObjectStore> {
  const objects: ObjectStore['objects'] = new Map();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    void handle(request).then((reply) => send(response, reply, store.isDripping));
  });
  const handle = async (request: IncomingMessage): Promise<Reply> => {
    const url = new URL(request.url ?? '/', 'http://store');
    const name = decodeURIComponent(url.pathname).replace(`/${bucket}`, '').replace(/^\//, '');
    const call = { request, name, url, body: await buffer(request) };
    requests.push(`${request.method} ${name}`);
    if (store.delayMs > 0) await pause(store.delayMs);
    const noReply = new Promise<Reply>(() => {});
    if (store.silent === true) return noReply;
    if (store.failWith) return createErrorReply(store.failWith, 'InternalError');
    const reply = findErrorReply(call, accessKeyId) ?? performRequest(call, objects, store.maxListSize);
    return store.silent ? noReply : reply;
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  const store: ObjectStore = {
    endpoint: `http://127.0.0.1:${port}`,
    objects,
    requests,
    maxListSize: 1000,
    failWith: undefined,
    silent: false,
    isDripping: false,
    delayMs: 0,
    close,
  };
  return store;
}

function findErrorReply({ request, body }: Call, accessKeyId: string): Reply | undefined {
  const signature = request.headers.authorization ?? '';
  if (!signature.startsWith(`AWS4-HMAC-SHA256 Credential=${accessKeyId}/`))
    return createErrorReply(403, 'InvalidAccessKeyId');
  const hash = createHash('sha256').update(body).digest('hex');
  const hashMatches = request.headers['x-amz-content-sha256'] === hash;
  return hashMatches ? undefined : createErrorReply(400, 'XAmzContentSHA256Mismatch');
}

function performRequest({ request, name, url, body }: Call, objects: ObjectStore['objects'], maxListed: number): Reply {
  if (request.method === 'PUT') {
    objects.set(name, { bytes: body, type: request.headers['content-type'] ?? '' });
    return { status: 200 };
  }
  if (request.method === 'DELETE') {
    objects.delete(name);
    return { status: 204 };
  }
  if (url.searchParams.get('list-type') === '2') return listObjects(url.searchParams, objects, maxListed);
  const object = objects.get(name);
  return object ? { status: 200, body: object.bytes, type: object.type } : createErrorReply(404, 'NoSuchKey');
}

/** Lists objects by name. The next listing continues after the last name. */
function listObjects(query: URLSearchParams, objects: ObjectStore['objects'], maximum: number): Reply {
  const continueAfter = query.get('continuation-token') ?? '';
  const names = [...objects.keys()]
    .filter((name) => name.startsWith(query.get('prefix') ?? '') && name > continueAfter)
    .sort();
  const contents = names.slice(0, maximum).map((name) => `<Contents><Key>${name}</Key></Contents>`);
  const continuation = `<IsTruncated>true</IsTruncated><NextContinuationToken>${names[maximum - 1]}</NextContinuationToken>`;
  const body = `<ListBucketResult>${contents.join('')}${names.length > maximum ? continuation : ''}</ListBucketResult>`;
  return { status: 200, body, type: 'application/xml' };
}

function createErrorReply(status: number, code: string): Reply {
  return { status, body: `<Error><Code>${code}</Code></Error>`, type: 'application/xml' };
}

const DRIP_EVERY_MS = 20;

function send(response: ServerResponse, { status, body, type }: Reply, isDripping: boolean): void {
  response.writeHead(status, type ? { 'content-type': type, 'content-length': Buffer.byteLength(body ?? '') } : {});
  if (!isDripping || !Buffer.isBuffer(body)) return void response.end(body);
  const bytes = body.values();
  const drip = setInterval(() => response.write(Buffer.of(bytes.next().value ?? 0)), DRIP_EVERY_MS);
  response.once('close', () => clearInterval(drip));
}
