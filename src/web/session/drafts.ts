const PREFIX = 'draft:';

/** The key of a person's draft in localStorage. */
export function draftKey(uid: string, name: string): string {
  return `${PREFIX}${uid}:${name}`;
}

/** Removes everyone's drafts from this browser. */
export function removeDrafts(): void {
  try {
    const { localStorage } = window;
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX)) localStorage.removeItem(key);
  } catch {
    // No drafts exist if storage is disabled.
  }
}

/** Picks the values that differ from the saved values that editing began with. */
export function pickEdited<Values extends object>(values: Values, base: Values): Partial<Values> {
  const names = Object.keys(values) as (keyof Values)[];
  return Object.fromEntries(
    names.filter((name) => values[name] !== base[name]).map((name) => [name, values[name]]),
  ) as Partial<Values>;
}
