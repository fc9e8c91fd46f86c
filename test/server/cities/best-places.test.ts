import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBestPlaces } from '#server/gateways/places/city-search.ts';

const offer = fc.record({ place: fc.integer({ min: 0, max: 8 }), weight: fc.integer({ min: 0, max: 20 }) });

test('keeps each of the best places once with its best score, earliest first on ties', () => {
  fc.assert(
    fc.property(fc.array(offer), fc.integer({ min: 1, max: 5 }), (offers, maximum) => {
      const best = createBestPlaces(maximum);
      const weights = new Map<number, { weight: number; since: number }>();
      for (const [index, { place, weight }] of offers.entries()) {
        best.offer(place, weight);
        if (weight > (weights.get(place)?.weight ?? -1)) weights.set(place, { weight, since: index });
      }
      const sorted = [...weights].sort(([, a], [, b]) => b.weight - a.weight || a.since - b.since);
      expect(best.places()).toEqual(sorted.slice(0, maximum).map(([place]) => place));
    }),
  );
});
