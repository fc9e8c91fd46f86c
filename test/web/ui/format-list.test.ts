import { expect, test } from 'vitest';
import { formatList } from '#web/ui/text.ts';

test.each([
  [[], '', ''],
  [['a name'], 'a name', 'a name'],
  [['a name', 'a photo'], 'a name and a photo', 'a name y a photo'],
  [['a name', 'a story', 'a photo'], 'a name, a story, and a photo', 'a name, a story y a photo'],
  // Before an "i" sound, Spanish uses "e" instead of "y".
  [['Google', 'iniciales'], 'Google and iniciales', 'Google e iniciales'],
  [['foto', 'hielo'], 'foto and hielo', 'foto y hielo'],
])('%j is formatted as %j, and in Spanish as %j', (items, english, spanish) => {
  expect(formatList(items)).toBe(english);
  expect(formatList(items, 'es')).toBe(spanish);
});
