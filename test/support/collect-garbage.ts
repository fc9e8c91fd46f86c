import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');

/** Runs a full garbage collection, so that tests can compare memory use. */
export const collectGarbage = vm.runInNewContext('gc') as () => void;
