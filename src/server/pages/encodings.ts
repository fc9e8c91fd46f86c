import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const brotli = promisify(brotliCompress);
const gzipCompress = promisify(gzip);

/** A document in each encoding. It is encoded once and sent many times. */
export type EncodedBodies = { readonly br: Buffer; readonly gzip: Buffer; readonly identity: Buffer };
export type Encoding = keyof EncodedBodies;

/**
 * Brotli quality 10 makes the home page 7% smaller than quality 7 for three times the CPU time, once per change. Quality 11
 * saves another 2% for twice that time.
 */
const THOROUGH_QUALITY = { brotli: 10, gzip: 7 };
/** Quality for content that few people see. */
const QUICK_QUALITY = { brotli: 4, gzip: 4 };

export async function encode(text: string, { quick = false } = {}): Promise<EncodedBodies> {
  const identity = Buffer.from(text);
  const quality = quick ? QUICK_QUALITY : THOROUGH_QUALITY;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality.brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
  };
  const [br, gzipBody] = await Promise.all([
    brotli(identity, { params }),
    gzipCompress(identity, { level: quality.gzip }),
  ]);
  return { br, gzip: gzipBody, identity };
}

/** In order of preference. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];
/** Weight of `identity` if the header doesn't name it: always acceptable, as the last choice. */
const DEFAULT_IDENTITY_WEIGHT = 0.0001;

/**
 * Selects the client's preferred encoding (RFC 9110, Accept-Encoding). Ties follow our order. Encodings with q=0 are
 * excluded; if all are excluded, the response is unencoded.
 */
export function selectEncoding(
  acceptEncoding: string | undefined,
  availableEncodings: readonly Encoding[] = ENCODINGS,
): Encoding {
  const weights = parseWeights(acceptEncoding ?? '');
  const getWeight = (encoding: Encoding) =>
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? DEFAULT_IDENTITY_WEIGHT : 0);
  let best: Encoding = 'identity';
  for (const encoding of availableEncodings.toReversed())
    if (getWeight(encoding) > 0 && getWeight(encoding) >= getWeight(best)) best = encoding;
  return best;
}

/** Parses each encoding's weight, from 0 to 1. */
function parseWeights(acceptEncoding: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters
      .map((parameter) => /^q\s*=\s*(0(?:\.\d*)?|1(?:\.0*)?)$/.exec(parameter)?.[1])
      .find(Boolean);
    if (name !== '') weights.set(name.replace(/^x-/, ''), weight === undefined ? 1 : Number(weight));
  }
  return weights;
}
