/** What is never reordered and may be alike: each is known by its place. */
export function numbered<T>(all: readonly T[]): { readonly number: number; readonly each: T }[] {
  return all.map((each, number) => ({ number, each }));
}
