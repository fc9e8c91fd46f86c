import { createElement } from 'react';
import { expect, test } from 'vitest';
import type { Org } from '#contract/schemas/orgs.ts';
import { EMISSION_FACTORS } from '#domain/emissions.ts';
import { effectSentence } from '#domain/gift-effect.ts';
import { renderVisibleText } from '#test/support/render-element.ts';
import { Closing, Stats } from '#web/routes/home/sections.tsx';

const NO_STATS = { co2: 0, gas: 0, funds: 0, grants: 0 };

test('the end of the home page states the same effect as the donate form, at any price of an offset', () => {
  const factors = { version: '2026-1.1', factors: { ...EMISSION_FACTORS, carbonPrice: { value: '0.025' } } };
  const text = renderVisibleText(createElement(Closing, { org: { id: 'valley', factors } as Org }));
  expect(text).toContain(effectSentence({ carbon: 0, amount: 2500, typicalGrant: 110_000 }));
  expect(text).toContain('$25 funds about a ton of grant work.');
});

test('the pounds that homes have saved aren’t presented as a part of the pounds that donors paid for', () => {
  const org = { id: 'valley', stats: { ...NO_STATS, co2: 748_161 }, statsDelta: NO_STATS } as Org;
  const text = renderVisibleText(createElement(Stats, { org, grantResults: { pounds: 42_298, dollars: null } }));
  expect(text).toContain('748,161 Homes have saved 42,298 so far');
  expect(text).not.toContain('the rest');
});
