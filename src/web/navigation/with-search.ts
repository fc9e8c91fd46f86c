/** Adds search parameters to a path, as in '/users?query=ada'. Omits empty and undefined values. */
export function withSearch(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}
