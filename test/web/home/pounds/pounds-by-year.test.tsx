import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { PublicPounds } from '#contract/schemas/grants.ts';
import { PoundsByYear } from '#web/routes/home/pounds/pounds-by-year.tsx';

afterEach(cleanup);

test('the chart’s text includes pounds from unfinished work, as the table does', () => {
  const pounds = {
    grants: 2,
    years: [
      { year: 2026, grantedPounds: 1000, deliveredPounds: 100, remainingPounds: 0 },
      { year: 2027, grantedPounds: 0, deliveredPounds: 0, remainingPounds: 700 },
    ],
    totals: { grantedPounds: 1000, deliveredPounds: 100, remainingPounds: 700, unfinishedPounds: 200 },
  } as unknown as PublicPounds;
  render(<PoundsByYear pounds={pounds} />);
  const summary = 'Pounds that homes save, year by year, 2026 to 2027: 1,000 in all.';
  expect(screen.getByText('Granted in the year it was paid; saved from the day the work was done.')).toBeTruthy();
  expect(screen.getByLabelText(new RegExp(`^${summary} Of these, 200 are from work`))).toBeTruthy();
});
