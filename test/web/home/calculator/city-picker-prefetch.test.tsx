import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import type { Site } from '#contract/schemas/site.ts';
import { createPageContext, wrapInPublicPage } from '#test/support/render-element.ts';
import { Calculator } from '#web/routes/home/calculator/calculator.tsx';

const loadPicker = vi.hoisted(() => vi.fn());
vi.mock('#web/routes/home/calculator/city-picker.tsx', () => {
  loadPicker();
  return { CityPicker: () => null };
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ORG = { id: 'valley', homeCity: null, typicalGrant: null, savingYears: 20 } as unknown as Org;

// A module loads once, so the order matters.
test.each([
  ['(hover: hover)', 0],
  ['(hover: none)', 1],
])('the city picker loads before the first tap only without hovering: %s', async (device, count) => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === device }));
  render(wrapInPublicPage(<Calculator org={ORG} site={{} as Site} />, createPageContext()));
  expect(loadPicker).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5000);
  vi.useRealTimers();
  if (count > 0) await vi.waitFor(() => expect(loadPicker).toHaveBeenCalledTimes(count));
  else expect(loadPicker).not.toHaveBeenCalled();
});
