import { expect, test } from 'vitest';
import { listed } from '#web/ui/text.ts';

test.each([
  [[], '', ''],
  [['a name'], 'a name', 'a name'],
  [['a name', 'a photo'], 'a name and a photo', 'a name y a photo'],
  [['a name', 'a story', 'a photo'], 'a name, a story, and a photo', 'a name, a story y a photo'],
  // Spanish says no "y" before the same sound.
  [['Google', 'iniciales'], 'Google and iniciales', 'Google e iniciales'],
  [['foto', 'hielo'], 'foto and hielo', 'foto y hielo'],
])('%j reads as %j, and in Spanish as %j', (things, english, spanish) => {
  expect(listed(things)).toBe(english);
  expect(listed(things, 'es')).toBe(spanish);
});
