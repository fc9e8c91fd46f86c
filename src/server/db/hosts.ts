/** The hosts of a PostgreSQL server and its standbys. Only one of them accepts writes at a time. */
export type Hosts = {
  /** Connection string with the host that was last known to accept writes. */
  current(): string;
  /** Calls `connect` for each host in turn, starting with the current one, until it succeeds. */
  tryEach<T>(connect: () => Promise<T>): Promise<T>;
  /** Moves on to the next host. */
  skip(): void;
};

/** @param url can list several hosts, as in libpq: `postgres://user:password@one,two:5433/database` */
export function createHosts(url: string): Hosts {
  const urls = splitHosts(url);
  let index = 0;
  const skip = () => {
    index = (index + 1) % urls.length;
  };
  return {
    current: () => urls[index] ?? url,
    tryEach: async (connect) => {
      const errors: unknown[] = [];
      for (let attempts = 0; attempts < urls.length; attempts += 1) {
        try {
          return await connect();
        } catch (error) {
          errors.push(error);
          skip();
        }
      }
      throw errors.length === 1 ? errors[0] : new AggregateError(errors);
    },
    skip,
  };
}

/** A connection string for each host of `url`. */
export function splitHosts(url: string): string[] {
  const [, start = '', hosts = '', end = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => start + host + end);
}
