import { expect, test } from 'vitest';
import { SPECIFIED_SET } from '#domain/factor-sets.ts';
import { renderVisibleText } from '#test/support/render-element.ts';
import { FactorFacts } from '#web/routes/home/numbers/factor-facts.tsx';

test.each([
  [undefined, 'Others publish 0.246 to 0.967.'],
  [2475, 'Others publish 0.246 to 0.927 for a flight this long.'],
])('the range of published values for a flight of %s miles', (miles, sentence) => {
  const facts = <FactorFacts factorSet={SPECIFIED_SET} name="air" heading="p" miles={miles} />;
  expect(renderVisibleText(facts)).toContain(sentence);
});
