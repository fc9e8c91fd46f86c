import { expect, test } from 'vitest';
import { retryableImport } from '#web/ui/lazy-part.tsx';

/** Creates a part that loads or fails when the test triggers it, and records its requests. */
function createPart() {
  const requests: PromiseWithResolvers<string>[] = [];
  const part = retryableImport(() => {
    const request = Promise.withResolvers<string>();
    requests.push(request);
    return request.promise;
  });
  return { part, requests };
}

test('components that share a lazy module load it once', async () => {
  const { part, requests } = createPart();
  expect(part.getState()).toEqual({ kind: 'loading' });
  part.load();
  part.load();
  requests[0]?.resolve('calculator');
  await requests[0]?.promise;
  expect(part.getState()).toEqual({ kind: 'loaded', value: 'calculator' });
  part.load();
  expect(requests).toHaveLength(1);
});

test('a lazy part that failed to load reports the failure and can be retried', async () => {
  const { part, requests } = createPart();
  const failure = Promise.withResolvers<void>();
  const stop = part.subscribe(failure.resolve);
  part.load();
  requests[0]?.reject(new Error('offline'));
  await failure.promise;
  expect(part.getState()).toEqual({ kind: 'failed' });
  stop();
  part.load();
  requests[1]?.resolve('calculator');
  await requests[1]?.promise;
  expect(part.getState()).toEqual({ kind: 'loaded', value: 'calculator' });
});
