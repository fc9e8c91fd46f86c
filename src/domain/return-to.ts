/** Longer than any address of this site. */
const LONGEST = 2000;
/** A path encoded more times than this is hiding something. */
const DECODINGS = 3;
/** No backslash, which browsers read as a slash; no tab or line break, which they drop; no look-alike letters. */
const WRITTEN = /^\/[\w\-.~!$&'()*+,;=:@%/?#[\]]*$/;

/**
 * The page to open after logging in, if it is a path of this site: one slash, then no empty, "." or ".." part, however
 * it is encoded. Undefined for anything else (decisions §4).
 */
export function safeReturnTo(text: string | undefined): string | undefined {
  if (text === undefined || text.length > LONGEST || !WRITTEN.test(text)) return undefined;
  const [path = ''] = text.split(/[?#]/);
  return isPlain(path, DECODINGS) ? text : undefined;
}

function isPlain(path: string, decodings: number): boolean {
  if (!/^\/(?!\/)/.test(path) || /[\\\p{Cc}]|\/\/|\/\.\.?(?:[/?#;]|$)/u.test(path)) return false;
  const plainer = decoded(path);
  if (plainer === path) return true;
  return plainer !== undefined && decodings > 0 && isPlain(plainer, decodings - 1);
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
