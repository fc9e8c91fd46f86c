import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';

/** Relay between our server and another one, such as PostgreSQL, that can fail on demand. */
export type NetworkRelay = {
  /** URL of the other server through the relay. */
  readonly url: string;
  /** Stops forwarding data but keeps existing connections and accepts new ones, like a frozen machine. */
  freeze(): void;
  thaw(): void;
  /** Ends all connections and rejects new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Ends all connections, then accepts new ones and closes them immediately, like a TCP proxy without a backend. */
  disconnectServer(): void;
  reconnectServer(): void;
  /** Connections accepted so far. */
  countAccepted(): number;
  /** Open connections on both sides. */
  countConnections(): number;
  close(): Promise<void>;
};

/** @param serverUrl may name a PostgreSQL server's Unix socket with the parameters `host` and `port` */
export async function startNetworkRelay(serverUrl: string): Promise<NetworkRelay> {
  const relayUrl = new URL(serverUrl);
  const connectToServer = createConnector(relayUrl);
  relayUrl.search = '';
  const sockets = new Set<Socket>();
  let queuedWrites: (() => void)[] | undefined;
  let hasServer = true;
  let acceptedCount = 0;
  const forward = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (data) => (queuedWrites ? queuedWrites.push(() => to.write(data)) : to.write(data)));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const accept = (client: Socket) => {
    acceptedCount += 1;
    if (!hasServer) {
      sockets.add(client);
      client.on('error', () => {});
      client.on('close', () => sockets.delete(client));
      // A socket doesn't close until its data is read.
      client.resume().end();
      return;
    }
    const server = connectToServer();
    forward(client, server);
    forward(server, client);
  };
  let relay = net.createServer(accept).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  const relayPort = (relay.address() as AddressInfo).port;
  const closeConnections = async () => {
    const closing = once(relay, 'close');
    relay.close();
    for (const socket of sockets) socket.destroy();
    await closing;
  };
  return {
    url: Object.assign(relayUrl, { host: `127.0.0.1:${relayPort}` }).href,
    freeze: () => {
      queuedWrites ??= [];
    },
    thaw: () => {
      const writes = queuedWrites ?? [];
      queuedWrites = undefined;
      for (const write of writes) write();
    },
    cut: closeConnections,
    restore: async () => {
      relay = net.createServer(accept).listen(relayPort, '127.0.0.1');
      await once(relay, 'listening');
    },
    disconnectServer: () => {
      hasServer = false;
      for (const socket of sockets) socket.destroy();
    },
    reconnectServer: () => {
      hasServer = true;
    },
    countAccepted: () => acceptedCount,
    countConnections: () => sockets.size,
    close: async () => {
      if (relay.listening) await closeConnections();
    },
  };
}

function createConnector({ hostname, port, searchParams }: URL): () => Socket {
  const socketFolder = searchParams.get('host');
  const socket = socketFolder && `${socketFolder}/.s.PGSQL.${searchParams.get('port')}`;
  return () => (socket ? net.connect(socket) : net.connect(Number(port), hostname));
}
