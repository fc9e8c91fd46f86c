import { createElement } from 'react';
import { expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import { EMISSION_FACTORS } from '#domain/emissions.ts';
import { effectSentence } from '#domain/gift-effect.ts';
import { renderVisibleText } from '#test/support/render-element.ts';
import { Closing } from '#web/routes/home/sections.tsx';

test('the end of the home page states the same effect as the donate form, at any price of an offset', () => {
  const factors = { version: '2026-1.1', factors: { ...EMISSION_FACTORS, carbonPrice: { value: '0.025' } } };
  const text = renderVisibleText(createElement(Closing, { org: { id: 'valley', factors } as Org }));
  expect(text).toContain(effectSentence({ carbon: 0, amount: 2500, typicalGrant: 110_000 }));
  expect(text).toContain('$25 funds about a ton of grant work.');
});
