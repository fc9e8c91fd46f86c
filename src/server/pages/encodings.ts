import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** A document in each encoding that browsers take, made once and sent many times. */
export type Encoded = { readonly br: Buffer; readonly gzip: Buffer; readonly identity: Buffer };
export type Encoding = keyof Encoded;

/**
 * The first quality at which Brotli looks for the shortest way to say all of it: the home page is a fifteenth smaller
 * than at 7, in three times its time, once for each change. The best quality takes twice as long again for 2 % more.
 */
const BROTLI_QUALITY = 10;
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

/** In the order in which we like to send them. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];
/** A document as it is will always do, and is the last to be taken where nothing is said of it. */
const LAST = 0.0001;

/**
 * The encoding that the client likes best (RFC 9110, Accept-Encoding), and of several the one that we do. One with
 * q=0 is refused; where everything is, the document comes as it is, which serves better than none.
 */
export function encodingFor(accepted: string | undefined): Encoding {
  const weights = weightsIn(accepted ?? '');
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? LAST : 0);
  let best: Encoding = 'identity';
  for (const encoding of ENCODINGS.toReversed())
    if (weightOf(encoding) > 0 && weightOf(encoding) >= weightOf(best)) best = encoding;
  return best;
}

/** How much the client likes each encoding that it names, from 0 to 1. */
function weightsIn(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters
      .map((parameter) => /^q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)$/.exec(parameter)?.[1])
      .find(Boolean);
    if (name !== '') weights.set(name.replace(/^x-/, ''), weight === undefined ? 1 : Number(weight));
  }
  return weights;
}
