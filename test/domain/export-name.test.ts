import { expect, test } from 'vitest';
import { formatExportName } from '#domain/export-name.ts';

test.each([
  [{ from: '2025-03-01', to: '2026-11-29' }, 'checkouts_2025-03-01_2026-11-29.csv'],
  [{ from: '2025-03-01' }, 'checkouts_from_2025-03-01.csv'],
  [{ to: '2026-11-29' }, 'checkouts_until_2026-11-29.csv'],
  [{}, 'checkouts_all.csv'],
])('a download of the days %o is named %s', (days, name) => {
  expect(formatExportName('checkouts', days)).toBe(name);
});
