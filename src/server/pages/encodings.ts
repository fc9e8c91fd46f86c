import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** A document in each encoding that browsers take, made once and sent many times. */
export type Encoded = { readonly br: Buffer; readonly gzip: Buffer; readonly identity: Buffer };
export type Encoding = keyof Encoded;

/** Between the best compression and a quick one: a page that changed is made while somebody waits. */
const BROTLI_QUALITY = 7;
const GZIP_LEVEL = 7;

export async function encode(text: string): Promise<Encoded> {
  const identity = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [br, zipped] = await Promise.all([brotli(identity, { params }), gzipped(identity, { level: GZIP_LEVEL })]);
  return { br, gzip: zipped, identity };
}

/** The best encoding that the client takes (RFC 9110, Accept-Encoding); one with q=0 is refused. */
export function encodingFor(accepted: string | undefined): Encoding {
  const taken = new Set<string>();
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) taken.add(name);
  }
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : 'identity';
}
