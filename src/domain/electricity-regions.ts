import { decimal, toText } from './decimal.ts';

/**
 * Pounds of CO₂ per megawatt-hour by grid region: total output emission rates at the plant from eGRID2021 and eGRID2023
 * rev2, copied from EPA's Power Profiler repository. The values were not checked against EPA's workbooks.
 */
export const ELECTRICITY_REGIONS = {
  AKGD: { name: 'ASCC Alaska Grid', states: 'AK', 2021: '1067.68', 2023: '899.633' },
  AKMS: { name: 'ASCC Miscellaneous', states: 'AK', 2021: '485.186', 2023: '520.483' },
  AZNM: { name: 'WECC Southwest', states: 'AZ NM TX NV CA', 2021: '819.656', 2023: '703.703' },
  CAMX: { name: 'WECC California', states: 'CA', 2021: '531.678', 2023: '428.464' },
  ERCT: { name: 'ERCOT All', states: 'TX', 2021: '813.552', 2023: '733.862' },
  FRCC: { name: 'FRCC All', states: 'FL', 2021: '832.924', 2023: '782.262' },
  HIMS: { name: 'HICC Miscellaneous', states: 'HI', 2021: '1134.391', 2023: '1123.371' },
  HIOA: { name: 'HICC Oahu', states: 'HI', 2021: '1633.097', 2023: '1489.548' },
  MROE: { name: 'MRO East', states: 'WI MI', 2021: '1582.135', 2023: '1397.313' },
  MROW: { name: 'MRO West', states: 'MN IA NE ND SD WI MT', 2021: '995.79', 2023: '920.13' },
  NEWE: { name: 'NPCC New England', states: 'MA ME CT VT NH RI', 2021: '539.367', 2023: '539.275' },
  NWPP: { name: 'WECC Northwest', states: 'WA OR MT UT ID NV WY AZ', 2021: '634.599', 2023: '631.735' },
  NYCW: { name: 'NPCC NYC/Westchester', states: 'NY', 2021: '816.756', 2023: '864.469' },
  NYLI: { name: 'NPCC Long Island', states: 'NY', 2021: '1210.94', 2023: '1180.672' },
  NYUP: { name: 'NPCC Upstate NY', states: 'NY', 2021: '233.081', 2023: '242.089' },
  PRMS: { name: 'Puerto Rico Miscellaneous', states: 'PR', 2021: '1558.024', 2023: '1543.073' },
  RFCE: { name: 'RFC East', states: 'PA NJ MD DC DE', 2021: '672.787', 2023: '596.904' },
  RFCM: { name: 'RFC Michigan', states: 'MI', 2021: '1214.061', 2023: '970.617' },
  RFCW: { name: 'RFC West', states: 'OH IN WV IL PA VA WI KY MD MI', 2021: '1046.132', 2023: '911.424' },
  RMPA: { name: 'WECC Rockies', states: 'CO WY NE SD', 2021: '1158.86', 2023: '1036.601' },
  SPNO: { name: 'SPP North', states: 'KS MO', 2021: '991.729', 2023: '861.999' },
  SPSO: { name: 'SPP South', states: 'OK TX LA AR NM MO', 2021: '1031.601', 2023: '872.042' },
  SRMV: { name: 'SERC Mississippi Valley', states: 'AR LA MS TX', 2021: '772.737', 2023: '739.72' },
  SRMW: { name: 'SERC Midwest', states: 'IL MO IA', 2021: '1543.034', 2023: '1239.839' },
  SRSO: { name: 'SERC South', states: 'GA AL MS FL', 2021: '891.907', 2023: '842.329' },
  SRTV: { name: 'SERC Tennessee Valley', states: 'KY TN MS AL', 2021: '931.586', 2023: '898.079' },
  SRVC: { name: 'SERC Virginia/Carolina', states: 'NC VA SC', 2021: '639.665', 2023: '593.419' },
} as const satisfies Readonly<Record<string, RegionRates>>;

type RegionRates = { readonly name: string; readonly states: string } & Readonly<Record<ElectricityYear, string>>;
/** Newest data first. EPA had not released 2024 at the time of writing. */
export const ELECTRICITY_YEARS = [2023, 2021] as const;
export type ElectricityYear = (typeof ELECTRICITY_YEARS)[number];
export type ElectricityRegion = keyof typeof ELECTRICITY_REGIONS;

/** U.S. averages, from the same tables. */
export const AVERAGE_ELECTRICITY: Readonly<Record<ElectricityYear, string>> = { 2021: '852.3', 2023: '767.209' };

/** Divides by exactly 1000. "242.089" → "0.242089" */
export function poundsPerKilowattHour(perMegawattHour: string): string {
  const { units, scale } = decimal(perMegawattHour);
  return toText({ units, scale: scale + 3 });
}
