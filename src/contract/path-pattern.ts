/** The names of a pattern's parameters: 'orgid' | 'offsetterid' for '/orgs/:orgid/offsetters/:offsetterid/'. */
export type ParamName<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Pattern extends `${string}:${infer Name}`
    ? Name
    : never;

export type PathParams<Pattern extends string> = Readonly<Record<ParamName<Pattern>, string>>;

/** Fills in a pattern's parameters, percent-encoding each value. */
export function fillPath<Pattern extends string>(pattern: Pattern, params: PathParams<Pattern>): string {
  const values: Readonly<Record<string, string>> = params;
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** Matches a path, with or without a trailing slash. @returns the parameters; undefined if the path doesn't match */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const patternSegments = splitPath(pattern);
  const pathSegments = splitPath(path);
  if (patternSegments.length !== pathSegments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of patternSegments.entries()) {
    const value = tryDecode(pathSegments[index] ?? '');
    if (value === undefined) return undefined;
    if (segment.startsWith(':')) params[segment.slice(1)] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

function splitPath(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

function tryDecode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
