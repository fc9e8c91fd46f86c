/** Longer than any URL on this site. */
const MAX_LENGTH = 2000;
/** Paths with more layers of encoding are suspicious. */
const MAX_DECODINGS = 3;
/**
 * Excludes backslashes, which browsers treat as slashes; tabs and line breaks, which they drop; and look-alike letters.
 */
const PLAIN_PATH = /^\/[\w\-.~!$&'()*+,;=:@%/?#[\]]*$/;

/**
 * The page to open after logging in, if it is a path of this site: one slash, then no empty, "." or ".." part, however
 * it is encoded. Undefined for anything else (decisions §4).
 */
export function safeReturnTo(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_LENGTH || !PLAIN_PATH.test(text)) return undefined;
  const [path = ''] = text.split(/[?#]/);
  return isPlain(path, MAX_DECODINGS) ? text : undefined;
}

function isPlain(path: string, decodings: number): boolean {
  if (!/^\/(?!\/)/.test(path) || /[\\\p{Cc}]|\/\/|\/\.\.?(?:[/?#;]|$)/u.test(path)) return false;
  const decodedPath = tryDecode(path);
  if (decodedPath === path) return true;
  return decodedPath !== undefined && decodings > 0 && isPlain(decodedPath, decodings - 1);
}

function tryDecode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
