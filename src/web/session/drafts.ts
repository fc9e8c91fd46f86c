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
