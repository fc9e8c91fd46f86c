import type { Metrics, ServiceName } from './metrics.ts';

/**
 * Runs a call to an outside service, and records its duration and whether the service responded.
 * @param isResponse returns whether an error came from the service itself; if so, the service counts as up
 */
export async function timeCall<T>(
  metrics: Pick<Metrics, 'serviceCall'>,
  service: ServiceName,
  call: () => Promise<T>,
  isResponse: (error: unknown) => boolean = () => false,
): Promise<T> {
  const start = performance.now();
  const record = (isUp: boolean) => metrics.serviceCall(service, (performance.now() - start) / 1000, isUp);
  try {
    const result = await call();
    record(true);
    return result;
  } catch (error) {
    record(isResponse(error));
    throw error;
  }
}
