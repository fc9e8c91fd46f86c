/** Where a page was loaded from: what `window.location` tells. */
export type PageHost = Pick<Location, 'protocol' | 'hostname' | 'port'>;

/** A service of its own for the calls of one host. */
export type ApiService = { readonly host: string; readonly origin: string };

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
const LOCAL_API_PORT = '8080';
/** Vite's own server, which holds the pages while they are being written, but no calls. */
const PAGES_ONLY_PORT = '5173';

/**
 * The origin that the calls go to, chosen by the page's host (§7, decisions §6): '' is the same origin.
 * Local pages served apart from the program go to port 8080; a host of the table goes to its service. Where the
 * table names services and this host is none of them, that is logged, and the same origin is tried.
 */
export function apiBase(page: PageHost, services: readonly ApiService[], log: (message: string) => void): string {
  if (LOCAL_HOSTS.includes(page.hostname)) {
    return page.port === PAGES_ONLY_PORT ? `${page.protocol}//${page.hostname}:${LOCAL_API_PORT}` : '';
  }
  const service = services.find(({ host }) => host === page.hostname);
  if (service) return service.origin;
  if (services.length > 0) log("Can't find api url");
  return '';
}

/** The table of hosts as the build was told it: "dev.example.org=https://api.dev.example.org www…=…". */
export function parseServices(table: string): ApiService[] {
  return table.split(/\s+/).flatMap((entry) => {
    const [host, origin] = entry.split('=');
    return host && origin ? [{ host, origin }] : [];
  });
}
