import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { scratchFolder } from '#scripts/scratch-folder.ts';

/** The whole program as `npm start` runs it, in a process, on a port and with a data folder of its own. */
export type OwnServer = {
  readonly url: string;
  readonly dataDir: string;
  /** What it logged as errors: nothing, when all is well. */
  readonly errors: readonly string[];
  /** Ends it in good order. Its data stay. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. Its data stay. */
  kill(): Promise<void>;
  /** Takes its data away. */
  clean(): Promise<void>;
};

export type OwnServerOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** A data folder to begin with a copy of. Without it the program makes the sample organisation from nothing. */
  readonly from?: string | undefined;
  /** The data and the port of an earlier one, to go on with. */
  readonly after?: OwnServer;
};

/** What is compiled once is kept for the next start: there are several in a run. */
const SETTINGS = { NODE_ENV: 'development', LOG_LEVEL: 'error', NODE_COMPILE_CACHE: 'build/test-compiled' };

/** Starts the program, and answers when it serves. */
export async function startServer({ env = {}, from, after }: OwnServerOptions = {}): Promise<OwnServer> {
  const port = after ? Number(new URL(after.url).port) : await freePort();
  const dataDir = after?.dataDir ?? (await newDataDir(from));
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    // The channel ends the child with this process, however that ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...SETTINGS, PORT: String(port), DATA_DIR: dataDir, ...env },
  });
  const errors: string[] = [];
  const url = await announcedUrl(child, errors);
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return {
    url,
    dataDir,
    errors,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    clean: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function newDataDir(from: string | undefined): Promise<string> {
  const dataDir = await scratchFolder('site');
  if (from !== undefined) cpSync(from, dataDir, { recursive: true });
  return dataDir;
}

/** Reads what the program says until it says where it serves; everything said as an error is kept. */
function announcedUrl(child: ChildProcess, errors: string[]): Promise<string> {
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new Error('The output of the program is not read');
  return new Promise((resolve, reject) => {
    // Before it serves it builds, and what the builder says is no error of the program.
    const building: string[] = [];
    let serves = false;
    createInterface(stdout).on('line', (line) => {
      const url = /^City Climate Fund: (\S+)$/.exec(line)?.[1];
      if (url) {
        serves = true;
        resolve(url);
      }
      if (/"level":(?:50|60)/.test(line)) errors.push(line);
    });
    createInterface(stderr).on('line', (line) => (serves ? errors : building).push(line));
    child.once('exit', (code, signal) =>
      reject(new Error(`It ended with ${code ?? signal}:\n${[...building, ...errors].join('\n')}`)),
    );
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No port is free');
  return address.port;
}
