/** `search` includes the question mark. */
export function splitAddress(url: string): { path: string; search: string } {
  const end = url.indexOf('?');
  return end === -1 ? { path: url, search: '' } : { path: url.slice(0, end), search: url.slice(end) };
}

/**
 * An address that the router can decode. One with invalid percent escapes is taken literally: it then matches nothing,
 * and gets the usual 404 with the usual headers.
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
