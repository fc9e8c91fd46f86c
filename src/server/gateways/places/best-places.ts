/** Keeps the best few of many offered places, each once, by its best weight. */
export type BestPlaces = {
  offer(place: number, weight: number): void;
  /** Best first; of equal ones, the one offered first. */
  places(): number[];
};

export function bestPlaces(most: number): BestPlaces {
  const best: { place: number; weight: number }[] = [];
  return {
    offer: (place, weight) => {
      const last = best.at(-1);
      if (last && best.length >= most && weight <= last.weight) return;
      const known = best.findIndex((entry) => entry.place === place);
      if (known >= 0) {
        if ((best[known]?.weight ?? 0) >= weight) return;
        best.splice(known, 1);
      }
      const worse = best.findIndex((entry) => entry.weight < weight);
      best.splice(worse < 0 ? best.length : worse, 0, { place, weight });
      if (best.length > most) best.pop();
    },
    places: () => best.map((entry) => entry.place),
  };
}
