import fs from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { profileFields } from '#contract/schemas/checkouts.ts';
import { buildApp } from '#server/app.ts';
import { readPhotoForm, registerPhotoForms } from '#server/http/photo-form.ts';
import { createTestDeps } from '#test/support/build-app.ts';
import { createUnreachableDatabase, findAnyOrg } from '#test/support/unreachable-database.ts';

const deps = await createTestDeps(createUnreachableDatabase(), { findOrg: findAnyOrg });
const FORM_PATH = '/form';
/** Adds a form like the profile's, without a checkout. */
const addForm = async (app: FastifyInstance) => {
  await registerPhotoForms(app, (forms) => {
    forms.put(FORM_PATH, async (request) => (await readPhotoForm(request, profileFields)).fields);
  });
  return app;
};
const app = await addForm(await buildApp(deps));
afterAll(() => app.close());

const NAME_FIELD = 'Content-Disposition: form-data; name="name"\r\n\r\nDora';

function sendForm(payload: string, boundary = '; boundary=xx') {
  const headers = { 'x-requested-with': 'test', 'content-type': `multipart/form-data${boundary}` };
  return app.inject({ method: 'PUT', url: FORM_PATH, headers, payload });
}

test.each([
  ['cut short in a field', `--xx\r\n${NAME_FIELD}`],
  ['cut short in a photo', '--xx\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n\xff\xd8'],
  ['cut short between two parts', `--xx\r\n${NAME_FIELD}\r\n--xx`],
  ['not a form', 'name=Dora'],
])('a form that is %s is rejected with its own code', async (_title, payload) => {
  const response = await sendForm(payload);
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'invalid-input', detail: 'The form is incomplete.' });
});

test('a form without a boundary is rejected', async () => {
  const response = await sendForm(`--xx\r\n${NAME_FIELD}\r\n--xx--\r\n`, '');
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'invalid-input', detail: 'The form is incomplete.' });
});

// @asvs 15.3.6
test.each([
  ['__proto__', 400],
  ['constructor', 400],
  ['nickname', 400],
])('a form with a field %s is rejected', async (name, status) => {
  const field = NAME_FIELD.replace('"name"', `"${name}"`);
  const response = await sendForm(`--xx\r\n${field}\r\n--xx--\r\n`);
  expect([response.statusCode, response.json().code]).toEqual([status, 'invalid-input']);
});

/** Starts an app that records its logged errors and the end of its first connection. */
async function startApp() {
  const errors: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void errors.push(line) });
  const server = await addForm(await buildApp(deps, { logger }));
  onTestFinished(() => server.close());
  await server.listen({ port: 0, host: '127.0.0.1' });
  const disconnection = new Promise((resolve) => {
    server.server.once('connection', (socket: net.Socket) => socket.once('close', resolve));
  });
  return { port: (server.server.address() as AddressInfo).port, disconnection, errors };
}

test.each([
  ['POST', '/api/orgs/sample/checkouts', 'application/json', '{"cart":['],
  ['PUT', FORM_PATH, 'multipart/form-data; boundary=xx', `--xx\r\n${NAME_FIELD}`],
])('a caller who disconnects during a %s causes no server error', async (method, url, type, partialBody) => {
  const { port, disconnection, errors } = await startApp();
  const head = [`${method} ${url} HTTP/1.1`, 'Host: a', 'X-Requested-With: a', `Content-Type: ${type}`];
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`${head.join('\r\n')}\r\nContent-Length: 9999\r\n\r\n${partialBody}`, () => socket.destroy());
  await disconnection;
  // Once another connection gets a response, the server has handled the disconnection.
  expect((await fetch(`http://127.0.0.1:${port}/api/site`)).status).toBe(200);
  expect(errors).toEqual([]);
});

const CHECKOUT_HEAD = 'POST /api/orgs/sample/checkouts HTTP/1.1\r\nHost: a\r\nX-Requested-With: a';
const SMUGGLED_REQUEST = 'GET /api/site HTTP/1.1\r\nHost: a\r\n\r\n';

// @asvs 4.2.1
test.each([
  ['by both headers', `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED_REQUEST}`],
  ['twice', `Content-Length: 5\r\nContent-Length: 50\r\n\r\n{"a"}${SMUGGLED_REQUEST}`],
  ['as a non-number', `Content-Length: 5, 50\r\n\r\n{"a"}${SMUGGLED_REQUEST}`],
  ['in an unknown way', `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${SMUGGLED_REQUEST}`],
  ['with a non-numeric chunk size', `Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${SMUGGLED_REQUEST}`],
  ['after a header that is split', `X-A: b\n Content-Length : 0\r\n\r\n${SMUGGLED_REQUEST}`],
])('a request with its length given %s is rejected, and no other request is smuggled in', async (_title, remainder) => {
  const { port } = await startApp();
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`${CHECKOUT_HEAD}\r\n${remainder}`);
  const responseText = await text(socket);
  expect(responseText.match(/^HTTP\/1\.1 \d{3}/gm)).toEqual(['HTTP/1.1 400']);
});

test.each([
  ['different', 'Host: a\r\nHost: b'],
  ['equal', 'Host: a\r\nhOST: a'],
])('a request with two %s Host headers is rejected', async (_title, hosts) => {
  const { port } = await startApp();
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`GET /api/site HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`);
  const responseText = await text(socket);
  expect(responseText).toMatch(/^HTTP\/1\.1 400/);
  expect(responseText).toContain('The request has more than one Host header.');
});

// @asvs 13.4.4
test('a request is never echoed to its sender', async () => {
  const { port } = await startApp();
  const socket = net.connect(port, '127.0.0.1');
  socket.write('TRACE /api/site HTTP/1.1\r\nHost: a\r\nCookie: session=secret\r\nConnection: close\r\n\r\n');
  const responseText = await text(socket);
  expect(responseText).toMatch(/^HTTP\/1\.1 40[45]/);
  expect(responseText).not.toContain('secret');
});

test.each([
  [`GET /api/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers-too-large'],
  [`GET /api/site HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
  ['GET /api/site HTTP/9.9\r\n\r\n', 400, 'invalid-input'],
  ['\u0016\u0003\u0001', 400, 'invalid-input'],
])('requests that Node can’t parse also get a problem response: %#', async (rawRequest, status, code) => {
  const { port } = await startApp();
  const socket = net.connect(port, '127.0.0.1');
  socket.write(rawRequest);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  expect(head).toContain(`HTTP/1.1 ${status} `);
  expect(head).toContain('Content-Type: application/problem+json');
  expect(JSON.parse(body)).toMatchObject({ code, status, requestId: expect.stringMatching(/./) });
});

test('closes the uploaded file when the client disconnects', async () => {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { 'x-requested-with': 'test', 'content-type': 'multipart/form-data; boundary=xx' };
  const openSpy = vi.spyOn(fs, 'open');
  const request = http.request(`${address}${FORM_PATH}`, { method: 'PUT', headers });
  request.on('error', () => undefined);
  request.write('--xx\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n\xff\xd8');
  await expect.poll(() => openSpy.mock.results).toHaveLength(1);
  const file = await openSpy.mock.results[0]?.value;
  openSpy.mockRestore();
  request.destroy();
  await expect.poll(() => file.fd).toBe(-1);
});
