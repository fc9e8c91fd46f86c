/** The pattern of texts that have this one in them. What the database would take for a sign of its own is meant as it stands. */
export function likePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
}
