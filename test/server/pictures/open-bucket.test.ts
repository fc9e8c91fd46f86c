import { expect, test } from 'vitest';
import { BucketUnavailableError, openBucketFiles } from '#server/gateways/pictures/picture-files.ts';

test('if a bucket can’t be opened, the next request tries again', async () => {
  let openings = 0;
  const config = {
    endpoint: 'http://127.0.0.1:1',
    bucket: 'pictures',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
    get region() {
      openings += 1;
      if (openings === 1) throw new Error('the SDK could not be loaded');
      return 'us-east-1';
    },
  };
  const files = openBucketFiles(config, { timeoutMs: 200, checkIntervalMs: 1000, maxConnections: 1 });
  await expect(files.get('a/1.webp')).rejects.toThrow('the SDK could not be loaded');
  await expect(files.get('a/1.webp')).rejects.toThrow(BucketUnavailableError);
});
