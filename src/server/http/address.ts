/** The path of a request, and its query with the question mark. */
export function splitAddress(url: string): { path: string; search: string } {
  const end = url.indexOf('?');
  return end === -1 ? { path: url, search: '' } : { path: url.slice(0, end), search: url.slice(end) };
}

/**
 * A request's address as the router can decode it. One whose percent signs mean nothing is taken as it is written: it
 * then names nothing, and is answered as every unknown address is, with the same headers.
 */
export function decodableAddress(url: string): string {
  const { path, search } = splitAddress(url);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + search;
  }
}
