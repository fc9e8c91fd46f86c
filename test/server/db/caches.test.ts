import { expect, test } from 'vitest';
import { createCaches, VersionedCache } from '#server/db/caches.ts';

test('each database has its own cache per feature', () => {
  const createNames = () => new Map<string, string>();
  const [caches, otherCaches] = [createCaches(), createCaches()];
  caches.getOrCreate(createNames).set('a', 'Ada');
  expect(caches.getOrCreate(createNames).get('a')).toBe('Ada');
  expect(otherCaches.getOrCreate(createNames).size).toBe(0);
  expect(caches.getOrCreate(() => new Map<string, string>()).size).toBe(0);
});

test('a result is computed once per version, and the oldest is dropped', async () => {
  const cache = new VersionedCache<string>(2);
  const computations: string[] = [];
  const read = (key: string, version: string) =>
    cache.read(key, version, async () => {
      computations.push(key + version);
      return key + version;
    });
  expect(await Promise.all([read('a', '1'), read('a', '1')])).toEqual(['a1', 'a1']);
  expect(await read('a', '2')).toBe('a2');
  await read('b', '1');
  await read('c', '1');
  await read('b', '1');
  await read('a', '2');
  expect(computations).toEqual(['a1', 'a2', 'b1', 'c1', 'a2']);
});

test('a failed computation isn’t cached', async () => {
  const cache = new VersionedCache<string>(2);
  const failure = new Error('no result');
  await expect(cache.read('a', '1', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await cache.read('a', '1', async () => 'result')).toBe('result');
});

test('a late failure of an older version doesn’t replace the newer result', async () => {
  const cache = new VersionedCache<string>(2);
  const olderResult = Promise.withResolvers<string>();
  const olderRead = cache.read('a', '1', () => olderResult.promise);
  await cache.read('a', '2', async () => 'newer');
  olderResult.reject(new Error('too late'));
  await expect(olderRead).rejects.toThrow('too late');
  expect(await cache.read('a', '2', async () => 'computed again')).toBe('newer');
});
