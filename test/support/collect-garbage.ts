import v8 from 'node:v8';
import vm from 'node:vm';

v8.setFlagsFromString('--expose-gc');

/** Runs a full garbage collection, so that a test can compare the memory in use. */
export const collectGarbage = vm.runInNewContext('gc') as () => void;
