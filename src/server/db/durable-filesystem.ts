import fs from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';

type Init = NodeFS['init'];
type Stream = { readonly nfd?: number };
type NodeFsModule = {
  readonly NODEFS: {
    stream_ops: { fsync?: (stream: Stream) => number };
    /** Turns what Node throws into the error that the compiled PostgreSQL understands. */
    tryFSOperation<T>(operation: () => T): T;
  };
};

/**
 * Start parameters under which a commit waits until it is on the disk. PGlite turns fsync off (-F), and PostgreSQL's
 * usual fdatasync does nothing there, while fsync reaches the file system below.
 */
export function durably(startParams: readonly string[]): string[] {
  return [...startParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/** PGlite's folder on the disk, with an fsync that is one: the file system it brings has none. */
export class DurableFilesystem extends NodeFS {
  override async init(...args: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: unknown) => addSync(module as NodeFsModule)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function addSync({ NODEFS }: NodeFsModule): void {
  NODEFS.stream_ops.fsync = ({ nfd }) => {
    if (nfd !== undefined) NODEFS.tryFSOperation(() => sync(nfd));
    return 0;
  };
}

function sync(descriptor: number): void {
  // Windows has no such thing for a folder, and needs none.
  if (process.platform === 'win32' && fs.fstatSync(descriptor).isDirectory()) return;
  fs.fsyncSync(descriptor);
}
