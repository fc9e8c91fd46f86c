import {
  CITY_FILE_HEADER,
  OTHER_NAME_MARK,
  type PlaceRow,
  parsePlaceRow,
  parseStateRow,
  type StateRow,
} from './city-file.ts';

/** The range of keys with a common prefix. The keys before `exactEnd` equal the prefix. */
export type KeyRange = { start: number; exactEnd: number; end: number };

/** The bundled list in memory: the bytes of its file plus indexes, about 25 MB instead of 200 MB. */
export type CityTable = {
  states: readonly StateRow[];
  findKeys(text: string): KeyRange;
  findPlacesByName(text: string): ReadonlySet<number>;
  getPlaceOfKey(key: number): number;
  isOtherName(key: number): boolean;
  getScore(place: number): number;
  getState(place: number): number;
  getPlace(place: number): PlaceRow;
};

const NEWLINE = 10;
const TAB = 9;
const ZERO = 48;
const OTHER_NAME_BYTE = OTHER_NAME_MARK.charCodeAt(0);

/** Opens the list. @throws if another version of the program wrote the file */
export function openCityTable(file: Buffer): CityTable {
  const headerEnd = file.indexOf(NEWLINE) + 1;
  if (file.toString('utf8', 0, headerEnd).trim() !== CITY_FILE_HEADER) {
    throw new Error('The list of places was built by another version of the program. Please rebuild it.');
  }
  const stateLines = findLineStarts(file, headerEnd);
  const placeLines = findLineStarts(file, getTableEnd(stateLines) + 1);
  const keyLines = findLineStarts(file, getTableEnd(placeLines) + 1);
  const readLine = (lines: Uint32Array, line: number) => file.toString('utf8', lines[line], (lines[line + 1] ?? 1) - 1);
  const states = Array.from({ length: stateLines.length - 1 }, (_, line) => parseStateRow(readLine(stateLines, line)));
  const places = readPlaceNumbers(file, placeLines);
  const keys = readKeys(file, keyLines);
  const findKeysByText = (text: string) => findKeys(file, keyLines, keys.ends, Buffer.from(text));
  return {
    states,
    findKeys: findKeysByText,
    findPlacesByName: (text) => {
      const { start, exactEnd } = findKeysByText(text);
      return new Set(keys.places.subarray(start, exactEnd));
    },
    getPlaceOfKey: (key) => keys.places[key] ?? 0,
    isOtherName: (key) => keys.isOther[key] === 1,
    getScore: (place) => places.scores[place] ?? 0,
    getState: (place) => places.states[place] ?? 0,
    getPlace: (place) => parsePlaceRow(readLine(placeLines, place)),
  };
}

/** Finds the start of each line of a table, including its empty last line. */
function findLineStarts(file: Buffer, from: number): Uint32Array {
  const starts = [from];
  let start = from;
  while (start < file.length && file[start] !== NEWLINE) {
    start = file.indexOf(NEWLINE, start) + 1;
    starts.push(start);
  }
  return Uint32Array.from(starts);
}
const getTableEnd = (lines: Uint32Array) => lines.at(-1) ?? 0;

function readPlaceNumbers(file: Buffer, lines: Uint32Array) {
  const count = lines.length - 1;
  const scores = new Uint16Array(count);
  const states = new Uint16Array(count);
  for (let place = 0; place < count; place++) {
    const score = readNumber(file, lines[place] ?? 0);
    scores[place] = score.value;
    states[place] = readNumber(file, score.end + 1).value;
  }
  return { scores, states };
}

function readKeys(file: Buffer, lines: Uint32Array) {
  const count = lines.length - 1;
  const ends = new Uint32Array(count);
  const places = new Uint32Array(count);
  const isOther = new Uint8Array(count);
  for (let key = 0; key < count; key++) {
    const end = file.indexOf(TAB, lines[key]);
    const place = readNumber(file, end + 1);
    ends[key] = end;
    places[key] = place.value;
    isOther[key] = file[place.end] === OTHER_NAME_BYTE ? 1 : 0;
  }
  return { ends, places, isOther };
}

function readNumber(file: Buffer, from: number): { value: number; end: number } {
  let value = 0;
  let end = from;
  for (let digit = (file[end] ?? 0) - ZERO; digit >= 0 && digit <= 9; digit = (file[end] ?? 0) - ZERO) {
    value = value * 10 + digit;
    end++;
  }
  return { value, end };
}

function findKeys(file: Buffer, starts: Uint32Array, ends: Uint32Array, text: Buffer): KeyRange {
  /** Compares a key, or its first `text.length` bytes, with the text. */
  const compare = (key: number, isWhole: boolean): number => {
    const start = starts[key] ?? 0;
    const end = ends[key] ?? 0;
    return file.compare(text, 0, text.length, start, isWhole ? end : Math.min(end, start + text.length));
  };
  /** Finds the first key, starting at `from`, whose comparison is at least `minimum`. */
  const findFirst = (minimum: number, isWhole: boolean, from: number): number => {
    let low = from;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(middle, isWhole) < minimum) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const start = findFirst(0, true, 0);
  // Most misspellings match no key and return here.
  if (start === ends.length || compare(start, false) !== 0) return { start, exactEnd: start, end: start };
  return { start, exactEnd: findFirst(1, true, start), end: findFirst(1, false, start) };
}
