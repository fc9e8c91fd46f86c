import { type CharacterMap, characterMapOf, tableOf } from './font-tables.ts';

/**
 * The fund writes CO₂ everywhere, and neither of its two typefaces has a ₂ (U+2082): a browser would take one from
 * some other font. Both have a small 2 on the line, the denominator of their fractions, which serves well.
 */
const SUBSCRIPT_TWO = 0x2082;
const SMALL_TWO = 'two.dnom';

/** The TrueType font with ₂ mapped to its small 2. It needs its glyph names. */
export function withSubscriptTwo(font: Buffer): Buffer {
  const map = new Map(characterMapOf(font));
  map.set(SUBSCRIPT_TWO, glyphNumber(font, SMALL_TWO));
  return withTable(font, 'cmap', writeCharacterMap(map));
}

/** A replaced table goes to the end of the file, and the directory points there. */
function withTable(font: Buffer, tag: string, content: Buffer): Buffer {
  const padding = Buffer.alloc((4 - (font.length % 4)) % 4);
  const changed = Buffer.concat([font, padding, content]);
  const { entry } = tableOf(font, tag);
  changed.writeUInt32BE(font.length + padding.length, entry + 8);
  changed.writeUInt32BE(content.length, entry + 12);
  return changed;
}

/** The number of macOS glyph names that the `post` table takes for granted and does not spell out. */
const STANDARD_NAMES = 258;

function glyphNumber(font: Buffer, name: string): number {
  const { offset, length } = tableOf(font, 'post');
  const glyphs = font.readUInt16BE(offset + 32);
  const names: string[] = [];
  for (let at = offset + 34 + glyphs * 2; at < offset + length; at += 1 + font.readUInt8(at)) {
    names.push(font.toString('latin1', at + 1, at + 1 + font.readUInt8(at)));
  }
  const wanted = STANDARD_NAMES + names.indexOf(name);
  const indices = Array.from({ length: glyphs }, (_, glyph) => font.readUInt16BE(offset + 34 + glyph * 2));
  const glyph = wanted < STANDARD_NAMES ? -1 : indices.indexOf(wanted);
  if (glyph < 0) throw new Error(`The font has no glyph named ${name}`);
  return glyph;
}

/** Writes groups (format 12), one for each character: the subsetter packs them afterwards. */
function writeCharacterMap(map: CharacterMap): Buffer {
  const characters = [...map].sort(([a], [b]) => a - b);
  const header = Buffer.alloc(12 + 16);
  header.writeUInt16BE(1, 2); // one subtable, for Windows and all of Unicode
  header.writeUInt16BE(3, 4);
  header.writeUInt16BE(10, 6);
  header.writeUInt32BE(12, 8);
  header.writeUInt16BE(12, 12);
  header.writeUInt32BE(16 + characters.length * 12, 16);
  header.writeUInt32BE(characters.length, 24);
  const groups = characters.map(([character, glyph]) => {
    const group = Buffer.alloc(12);
    group.writeUInt32BE(character, 0);
    group.writeUInt32BE(character, 4);
    group.writeUInt32BE(glyph, 8);
    return group;
  });
  return Buffer.concat([header, ...groups]);
}
