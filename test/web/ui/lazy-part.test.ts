import { expect, test } from 'vitest';
import { retryableImport } from '#web/ui/lazy-part.tsx';

/** Creates a lazy module that loads or fails when the test triggers it, and records its requests. */
function createLazyModule() {
  const requests: PromiseWithResolvers<string>[] = [];
  const lazyModule = retryableImport(() => {
    const request = Promise.withResolvers<string>();
    requests.push(request);
    return request.promise;
  });
  return { lazyModule, requests };
}

test('components that share a lazy module load it once', async () => {
  const { lazyModule, requests } = createLazyModule();
  expect(lazyModule.getState()).toEqual({ kind: 'loading' });
  lazyModule.load();
  lazyModule.load();
  requests[0]?.resolve('calculator');
  await requests[0]?.promise;
  expect(lazyModule.getState()).toEqual({ kind: 'loaded', value: 'calculator' });
  lazyModule.load();
  expect(requests).toHaveLength(1);
});

test('a lazy module that failed to load reports the failure and can be retried', async () => {
  const { lazyModule, requests } = createLazyModule();
  const failure = Promise.withResolvers<void>();
  lazyModule.load();
  const unsubscribe = lazyModule.subscribe(failure.resolve);
  requests[0]?.reject(new Error('offline'));
  await failure.promise;
  expect(lazyModule.getState()).toEqual({ kind: 'failed' });
  unsubscribe();
  lazyModule.load();
  // The message disappears, so that a second failure is announced again.
  expect(lazyModule.getState()).toEqual({ kind: 'loading' });
  requests[1]?.resolve('calculator');
  await requests[1]?.promise;
  expect(lazyModule.getState()).toEqual({ kind: 'loaded', value: 'calculator' });
});
