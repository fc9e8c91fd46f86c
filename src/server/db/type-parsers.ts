import pg from 'pg';

type TypeParser = (text: string) => unknown;

/**
 * Converts columns to JavaScript values: int8 becomes a number (values that aren't exact are rejected), numeric and
 * date become strings, and timestamptz and timestamp become a Date (a timestamp without a zone is UTC). In PostgreSQL,
 * `sum()` of int8 is numeric: cast it to int8 to get a number.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    format === 'binary' ? pg.types.getTypeParser(type, format) : (parsers.get(type) ?? pg.types.getTypeParser(type)),
};

const { builtins } = pg.types;
// The driver has no constants for array types. These are their OIDs in pg_type.
const ARRAY_TYPE_IDS = { int8: 1016, numeric: 1231, date: 1182, timestamp: 1115, timestamptz: 1185, text: 1009 };

const parseTextArray: (text: string) => unknown[] = pg.types.getTypeParser(ARRAY_TYPE_IDS.text);
const parseZonedTime: TypeParser = pg.types.getTypeParser(builtins.TIMESTAMPTZ);

const parsers = new Map<number, TypeParser>([
  [builtins.INT8, parseExactInteger],
  [builtins.NUMERIC, keepText],
  [builtins.DATE, keepText],
  [builtins.TIMESTAMPTZ, parseValidTime],
  [builtins.TIMESTAMP, parseUtcTime],
  [ARRAY_TYPE_IDS.int8, createArrayParser(parseExactInteger)],
  [ARRAY_TYPE_IDS.numeric, createArrayParser(keepText)],
  [ARRAY_TYPE_IDS.date, createArrayParser(keepText)],
  [ARRAY_TYPE_IDS.timestamptz, createArrayParser(parseValidTime)],
  [ARRAY_TYPE_IDS.timestamp, createArrayParser(parseUtcTime)],
]);

function parseExactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} in the database is too large for an exact number`);
  return value;
}

function keepText(text: string): string {
  return text;
}

function parseValidTime(text: string): Date {
  const time = parseZonedTime(text);
  if (!(time instanceof Date)) throw new RangeError(`the time ${text} in the database is not a valid date`);
  return time;
}

function parseUtcTime(text: string): Date {
  return parseValidTime(text.replace(/(?: BC)?$/, '+00$&'));
}

function createArrayParser(parse: TypeParser): TypeParser {
  const parseElement = (element: unknown): unknown => {
    if (Array.isArray(element)) return element.map(parseElement);
    return typeof element === 'string' ? parse(element) : element;
  };
  return (text) => parseTextArray(text).map(parseElement);
}
