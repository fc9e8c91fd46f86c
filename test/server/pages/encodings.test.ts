import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encode, selectEncoding } from '#server/pages/encodings.ts';

const CASES = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP, Br', 'br'],
  ['x-gzip', 'gzip'],
  ['deflate', 'identity'],
  ['brotli', 'identity'],
  // Encodings with weight zero are not acceptable.
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.000,gzip;q=0', 'identity'],
  ['br; q=0 , gzip ; q=1', 'gzip'],
  ['identity;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['*;q=0, gzip', 'gzip'],
  // `*` stands for any encoding, or for any encoding that isn't listed.
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0, br;q=0, *', 'identity'],
  // The client's preference wins. Between equal weights, the smaller encoding does.
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip;q=0.8, br;q=0.8', 'br'],
  ['gzip;q=0.1, br;q=0.001', 'gzip'],
  ['identity, br;q=0.5', 'identity'],
  ['br;q=0.001', 'br'],
  // An unreadable header is ignored.
  ['br;q=much', 'br'],
  [',,;q=0,', 'identity'],
] as const;

test.each(CASES)('Accept-Encoding: %s returns %s', (accepted, encoding) => {
  expect(selectEncoding(accepted)).toBe(encoding);
});

test('a document is the same in every encoding, and smaller if compressed', async () => {
  const text = `<p>Warm homes, cooler planet – CO₂ 🏠</p>`.repeat(200);
  const { br, gzip, identity } = await encode(text);
  expect(identity.toString()).toBe(text);
  expect(brotliDecompressSync(br).toString()).toBe(text);
  expect(gunzipSync(gzip).toString()).toBe(text);
  expect(Math.max(br.length, gzip.length)).toBeLessThan(identity.length / 10);
});
