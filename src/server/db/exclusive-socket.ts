import net from 'node:net';

export type HeldSocket = { close(): Promise<void> };

/**
 * Listens on a local address: a socket's path, an abstract socket, a named pipe. Answers undefined when somebody
 * listens there already. The operating system lets go of it when the process ends, however it ends; it does not keep
 * the process alive.
 */
export function holdSocket(address: string): Promise<HeldSocket | undefined> {
  return new Promise((resolve, reject) => {
    const server = net.createServer((visitor) => visitor.destroy());
    server.unref();
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(address, () => {
      resolve({ close: () => new Promise((closed) => server.close(() => closed())) });
    });
  });
}

/** Whether a living process listens on a local address. The file of a dead one's socket may lie there all the same. */
export function isHeld(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    // The system connects, even when the holder is too busy to notice.
    const socket = net.connect(address, () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}
