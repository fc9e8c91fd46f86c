/** Longer than any address of this site. */
const LONGEST = 2000;
/** How often a path may be encoded over: what still changes then hides something. */
const DECODINGS = 3;
/**
 * What an address may be written with. Not a backslash, which browsers read as a slash, not a tab or a line break, which
 * they leave out, and nothing that could pass for another letter.
 */
const WRITTEN = /^\/[\w\-.~!$&'()*+,;=:@%/?#[\]]*$/;

/**
 * Where the way leads after signing in, if it is a path of this site, as the router writes it: one slash, then no
 * empty, "." or ".." part, however it is encoded. Anything else is left out, so that it leads nowhere (decisions §4).
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
