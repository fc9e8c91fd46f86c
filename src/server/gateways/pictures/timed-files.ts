import type { Metrics } from '#server/process/metrics.ts';
import { timeCall } from '#server/process/time-call.ts';
import type { PictureFiles } from './picture-files.ts';

/** Times picture storage for the metrics. */
export function createTimedFiles(files: PictureFiles, metrics: Pick<Metrics, 'serviceCall'>): PictureFiles {
  return {
    put: (name, bytes) => timeCall(metrics, 'storage', () => files.put(name, bytes)),
    get: (name) => timeCall(metrics, 'storage', () => files.get(name)),
    removeAll: (key) => timeCall(metrics, 'storage', () => files.removeAll(key)),
  };
}
