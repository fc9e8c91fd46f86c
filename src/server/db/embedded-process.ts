import nodeFs from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** PostgreSQL in this process, until it panics: like a server, it is then started again and recovers from its log. */
export type EmbeddedProcess = {
  /**
   * Sends a message of PostgreSQL's protocol.
   * @throws EmbeddedPanic when PostgreSQL ended: nothing may be sent any more, and the answer is unknown
   */
  send: PGlite['execProtocolStream'];
  /** Ends it in good order. */
  close(): Promise<void>;
  /** Leaves it where it is, like a kill: it can write nothing any more. */
  abandon(): void;
};

/** PostgreSQL ended itself, mostly because the disk was full. What it was doing was committed, or was not. */
export class EmbeddedPanic extends Error {
  override readonly name = 'EmbeddedPanic';
  /** PostgreSQL's "crash_shutdown". */
  readonly code = '57P02';
  constructor(cause?: unknown) {
    super('the embedded database has to be started again', { cause });
  }
}

/** @param folder of an existing database */
export async function startProcess(folder: string): Promise<EmbeddedProcess> {
  // The default of 128 MB is never released; the system caches the files anyway.
  const startParams = [...durableStartParams(PGlite.defaultStartParams), '-c', 'shared_buffers=16MB'];
  const files = new DurableFilesystem(folder);
  try {
    const pglite = new WatchedPGlite({ fs: files, startParams });
    await pglite.waitReady;
    pglite.watch();
    return {
      send: (...args) => pglite.execProtocolStream(...args),
      close: () => pglite.close(),
      abandon: () => files.abandon(),
    };
  } catch (error) {
    files.abandon();
    throw error;
  }
}

/** The end of a statement that failed, after which the next one may come. */
const LONGJMP = 100;

/**
 * PGlite lets every exception of the compiled PostgreSQL pass as if a statement had failed. After a panic it would hang,
 * or answer one question with the answer to another.
 */
class WatchedPGlite extends PGlite {
  watch(): void {
    const { mod } = this;
    if (!mod) throw new Error('The embedded database is not there.');
    const next = mod._PostgresMainLoopOnce;
    const afterError = mod._PostgresMainLongJmp;
    const panic = (cause: unknown): never => {
      const error = new EmbeddedPanic(cause);
      const refuse = () => {
        throw error;
      };
      // What PGlite calls next: it leaves its loop, and says nothing more.
      Object.assign(mod, { stackSave: refuse, stackRestore: refuse, _PostgresMainLoopOnce: refuse });
      Object.assign(mod, { _PostgresSendReadyForQueryIfNecessary: () => {}, _pgl_pq_flush: () => {} });
      throw error;
    };
    mod._PostgresMainLoopOnce = () => {
      try {
        next();
      } catch (error) {
        if (!isLongjmp(error)) panic(error);
        throw error;
      }
    };
    mod._PostgresMainLongJmp = () => {
      try {
        afterError();
      } catch (error) {
        panic(error);
      }
    };
  }
}

function isLongjmp(error: unknown): boolean {
  return typeof error === 'object' && error !== null && Reflect.get(error, 'status') === LONGJMP;
}

type Init = NodeFS['init'];
type Stream = { readonly nfd?: number; readonly shared: { readonly refcount?: number } };
type StreamOps = {
  open: (stream: Stream) => void;
  close: (stream: Stream) => void;
  fsync?: (stream: Stream) => number;
};
type NodeFsModule = {
  readonly NODEFS: {
    stream_ops: StreamOps;
    node_ops: object;
    /** Converts Node's errors to those of the compiled PostgreSQL. */
    tryFSOperation<T>(operation: () => T): T;
  };
};

/**
 * Start parameters that make commits durable. PGlite turns fsync off (-F), and its fdatasync does nothing.
 */
export function durableStartParams(startParams: readonly string[]): string[] {
  return [...startParams.filter((parameter) => parameter !== '-F'), '-c', 'wal_sync_method=fsync'];
}

/** PGlite's file system, with the fsync that it lacks. */
export class DurableFilesystem extends NodeFS {
  readonly #open = new Set<number>();
  #nodeFs: NodeFsModule['NODEFS'] | undefined;

  override async init(...args: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [...(emscriptenOpts.preRun ?? []), (module: unknown) => this.#extend(module as NodeFsModule)];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }

  #extend({ NODEFS }: NodeFsModule): void {
    this.#nodeFs = NODEFS;
    const ops = NODEFS.stream_ops;
    const { open, close } = ops;
    ops.open = (stream) => {
      open(stream);
      if (stream.nfd !== undefined) this.#open.add(stream.nfd);
    };
    ops.close = (stream) => {
      close(stream);
      if (stream.nfd !== undefined && stream.shared.refcount === 0) this.#open.delete(stream.nfd);
    };
    ops.fsync = ({ nfd }) => {
      if (nfd !== undefined) NODEFS.tryFSOperation(() => sync(nfd));
      return 0;
    };
  }

  /** Closes all files. A database that was not closed would keep them, and the room of those deleted since, forever. */
  abandon(): void {
    for (const operations of [this.#nodeFs?.stream_ops ?? {}, this.#nodeFs?.node_ops ?? {}]) {
      for (const name of Object.keys(operations)) Object.assign(operations, { [name]: refuse });
    }
    for (const descriptor of this.#open) nodeFs.closeSync(descriptor);
    this.#open.clear();
  }
}

function sync(descriptor: number): void {
  // Windows cannot sync folders, and need not.
  if (process.platform === 'win32' && nodeFs.fstatSync(descriptor).isDirectory()) return;
  nodeFs.fsyncSync(descriptor);
}

function refuse(): never {
  throw new EmbeddedPanic();
}
