/** What a TrueType font says of itself in its tables: where they are, and which characters it has. */
export type Table = { readonly tag: string; readonly entry: number; readonly offset: number; readonly length: number };
/** Characters of the basic plane, and the numbers of their glyphs. */
export type CharacterMap = ReadonlyMap<number, number>;

export function tableOf(font: Buffer, tag: string): Table {
  const count = font.readUInt16BE(4);
  const entries = Array.from({ length: count }, (_, index) => 12 + index * 16);
  const entry = entries.find((at) => font.toString('latin1', at, at + 4) === tag);
  if (entry === undefined) throw new Error(`The font has no table ${tag}`);
  return { tag, entry, offset: font.readUInt32BE(entry + 8), length: font.readUInt32BE(entry + 12) };
}

export function characterMapOf(font: Buffer): CharacterMap {
  return readCharacterMap(font, tableOf(font, 'cmap').offset);
}

/** Every character that a font has a glyph for. */
export function charactersIn(font: Buffer): string[] {
  return [...characterMapOf(font).keys()].map((code) => String.fromCodePoint(code));
}

/** Reads the segments (format 4) or the groups (format 12) that map characters to glyphs. */
function readCharacterMap(font: Buffer, cmap: number): CharacterMap {
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => {
    return cmap + font.readUInt32BE(cmap + 8 + index * 8);
  });
  const start = subtables.find((at) => [4, 12].includes(font.readUInt16BE(at)));
  if (start === undefined) throw new Error('The font maps no characters by segments or groups');
  const map = new Map<number, number>();
  if (font.readUInt16BE(start) === 12) readGroups(font, start, map);
  else {
    const segments = font.readUInt16BE(start + 6) / 2;
    for (let segment = 0; segment < segments; segment += 1) readSegment(font, start, segments, segment, map);
  }
  return map;
}

function readGroups(font: Buffer, start: number, map: Map<number, number>): void {
  const groups = font.readUInt32BE(start + 12);
  for (let at = start + 16; at < start + 16 + groups * 12; at += 12) {
    const [first, last, glyph] = [font.readUInt32BE(at), font.readUInt32BE(at + 4), font.readUInt32BE(at + 8)];
    for (let character = first; character <= last; character += 1) map.set(character, glyph + character - first);
  }
}

function readSegment(font: Buffer, start: number, segments: number, segment: number, map: Map<number, number>): void {
  const column = (index: number) => start + 14 + segments * 2 * index + (index > 0 ? 2 : 0) + segment * 2;
  const [last, first] = [font.readUInt16BE(column(0)), font.readUInt16BE(column(1))];
  const shift = font.readUInt16BE(column(2));
  const rangeOffset = font.readUInt16BE(column(3));
  for (let character = first; character <= last && character < 0xffff; character += 1) {
    const listed = rangeOffset === 0 ? character : font.readUInt16BE(column(3) + rangeOffset + (character - first) * 2);
    if (rangeOffset === 0 || listed !== 0) map.set(character, (listed + shift) & 0xffff);
  }
}
