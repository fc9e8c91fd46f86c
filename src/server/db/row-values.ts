import pg from 'pg';

type Parse = (text: string) => unknown;

/**
 * How columns become JavaScript values, the same on both engines: int8 a number (an inexact one is refused), numeric
 * and date a string, timestamptz and timestamp a Date (a timestamp without a zone is UTC). Note that `sum()` of int8
 * is numeric in PostgreSQL: cast it to int8 where a number is wanted.
 */
export const rowValues: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    format === 'binary' ? pg.types.getTypeParser(type, format) : (parsers.get(type) ?? pg.types.getTypeParser(type)),
};

const { builtins } = pg.types;
// The array types are not among the driver's names: these are their numbers in PostgreSQL's pg_type.
const arrays = { int8: 1016, numeric: 1231, date: 1182, timestamp: 1115, timestamptz: 1185, text: 1009 };

const parseTextArray: (text: string) => unknown[] = pg.types.getTypeParser(arrays.text);
const parseZonedTime: Parse = pg.types.getTypeParser(builtins.TIMESTAMPTZ);

const parsers = new Map<number, Parse>([
  [builtins.INT8, exactInteger],
  [builtins.NUMERIC, asWritten],
  [builtins.DATE, asWritten],
  [builtins.TIMESTAMPTZ, zonedTime],
  [builtins.TIMESTAMP, utcTime],
  [arrays.int8, arrayOf(exactInteger)],
  [arrays.numeric, arrayOf(asWritten)],
  [arrays.date, arrayOf(asWritten)],
  [arrays.timestamptz, arrayOf(zonedTime)],
  [arrays.timestamp, arrayOf(utcTime)],
]);

function exactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}, too large for an exact number`);
  return value;
}

function asWritten(text: string): string {
  return text;
}

function zonedTime(text: string): Date {
  const time = parseZonedTime(text);
  if (!(time instanceof Date)) throw new RangeError(`the database holds the time ${text}, which is no moment`);
  return time;
}

function utcTime(text: string): Date {
  return zonedTime(text.replace(/(?: BC)?$/, '+00$&'));
}

function arrayOf(parse: Parse): Parse {
  const each = (element: unknown): unknown => {
    if (Array.isArray(element)) return element.map(each);
    return typeof element === 'string' ? parse(element) : element;
  };
  return (text) => parseTextArray(text).map(each);
}
