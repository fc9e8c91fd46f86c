import { formatWhole } from '#domain/money.ts';

/** "1 warning", "2 warnings" */
export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatWhole(count)} ${count === 1 ? singular : plural}`;
}
