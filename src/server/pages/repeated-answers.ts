import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { REQUEST_ID_HEADER } from '#server/http/request-ids.ts';

export type Status = 200 | 304;

/** An answer to many requests, each of which has its own id. */
export type Repeated = {
  readonly status: Status;
  readonly headers: readonly string[];
  readonly body: Buffer;
};

/** All bytes that node:http sent for it, which have room for the id of the next one. */
type Sent = { readonly head: string; readonly bytes: Buffer; readonly idAt: number };

/** What node:http keeps to itself about a response: its head, and whether that was sent. */
type Internals = { _header: unknown; _headerSent: unknown };

/** What many ask for at the same time; the rest is sent as usual. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Of one answer: of a larger one each reader who is slow would keep a copy. Its head takes little of its time anyway. */
const LARGEST_BYTES = 32 * 1024;
/** Of newRequestId: other programs may send other ids. */
const ID_LENGTH = 36;

/**
 * Sends the same answer again and again. Node checks and joins all headers of each answer, which takes longer than the
 * rest of it. So it does that once a second, as the Date changes: until then the same bytes are sent with other ids.
 * @param time in milliseconds since 1970
 */
export function repeatedAnswers(
  time: () => number = Date.now,
): (repeated: Repeated, id: string, request: IncomingMessage, response: ServerResponse) => void {
  const sent = new Map<Repeated, Sent>();
  let second = 0;
  let bytes = 0;
  const forgetOlder = () => {
    const now = Math.floor(time() / 1000);
    if (now === second) return;
    [second, bytes] = [now, 0];
    sent.clear();
  };
  return (repeated, id, request, response) => {
    const { status, headers, body } = repeated;
    forgetOlder();
    const isUsual =
      body.length <= LARGEST_BYTES &&
      response.shouldKeepAlive &&
      request.httpVersion === '1.1' &&
      id.length === ID_LENGTH;
    const known = isUsual ? sent.get(repeated) : undefined;
    if (known) {
      known.bytes.write(id, known.idAt, 'latin1');
      response.statusCode = status;
      const internals = response as unknown as Internals;
      internals._header = known.head;
      internals._headerSent = true;
      response.end(known.bytes);
      // The system still has to read these bytes: they must not change.
      if (!response.socket || response.socket.writableLength > 0) sent.delete(repeated);
      return;
    }
    response.writeHead(status, [REQUEST_ID_HEADER, id, ...headers]);
    const { _header: head } = response as unknown as Internals;
    response.end(body);
    const before = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${REQUEST_ID_HEADER}: `;
    // Another version of Node may keep its head elsewhere. Then it writes each head itself.
    if (!isUsual || typeof head !== 'string' || !head.startsWith(before + id)) return;
    bytes += head.length + body.length;
    if (bytes > MOST_BYTES) return;
    sent.set(repeated, { head, bytes: Buffer.concat([Buffer.from(head, 'latin1'), body]), idAt: before.length });
  };
}
