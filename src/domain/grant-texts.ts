import { type InLanguage, m } from '#messages';
import type { Measure, Method } from './grant.ts';

const MEASURE_TEXTS = {
  'attic-insulation': m.measureAtticInsulation,
  'air-sealing': m.measureAirSealing,
  'heat-pump': m.measureHeatPump,
  'heat-pump-water-heater': m.measureWaterHeater,
  other: m.measureOther,
} as const satisfies Readonly<Record<Measure, unknown>>;

/** "Attic insulation" */
export function measureText(measure: Measure, options: InLanguage = {}): string {
  return MEASURE_TEXTS[measure]({}, options);
}

const METHOD_TEXTS = {
  audit: m.methodAudit,
  model: m.methodModel,
  deemed: m.methodDeemed,
} as const satisfies Readonly<Record<Method, unknown>>;

/** Method of estimating the savings, before its source: "From an audit of this home:" */
export function methodText(method: Method, options: InLanguage = {}): string {
  return METHOD_TEXTS[method]({}, options);
}
