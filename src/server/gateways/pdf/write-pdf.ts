import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { DEFAULT_LANGUAGE } from '#contract/languages.ts';
import type { Language } from '#messages';
import { type FontName, openFonts, splitFontRuns } from './fonts.ts';

/** One part of a sheet. Parts are laid out from top to bottom. */
export type PdfPart =
  | { readonly kind: 'title' | 'heading' | 'text' | 'note'; readonly text: string }
  /** Important text on a colored background. */
  | { readonly kind: 'highlight'; readonly text: string }
  /** Recipient, positioned for a window envelope. */
  | { readonly kind: 'address'; readonly lines: readonly string[] }
  | { readonly kind: 'details'; readonly rows: readonly (readonly [name: string, value: string])[] }
  /** The last column contains amounts. `total` is the last row, below a line. */
  | {
      readonly kind: 'table';
      readonly headings: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly total?: readonly string[] | undefined;
    };

type PdfTable = Extract<PdfPart, { kind: 'table' }>;

export type PdfSheet = {
  /** Defaults to the first language. */
  readonly language?: Language;
  /** Document title, which viewers show in the title bar. */
  readonly title: string;
  /** Name next to the logo at the top. */
  readonly brand: string;
  readonly parts: readonly PdfPart[];
  /** Lines that identify the issuer. */
  readonly footer: readonly string[];
  /** Creation date in the file, so that the same sheet always produces the same bytes. */
  readonly createdAt: Date;
};

/** Letter size, in points. */
const PAGE = { width: 612, height: 792, margin: 64 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const TOP = 104;
const BOTTOM = PAGE.height - 116;

/** Position of the window in a no. 10 envelope, for a letter folded in thirds. */
const ADDRESS_TOP = 144;
const ADDRESS_BOTTOM = 236;
const ADDRESS_WIDTH = 260;

const INK = '#0e2930';
const MUTED = '#466066';
const LINE = '#d5e1de';
const MIST = '#f3f7f5';
const NIGHT = '#07202a';
const LAMP = '#ffc24b';
const LEADING = 1.4;

/** Writes a PDF that is tagged for screen readers. Parts that don't fit on a page continue on the next one. */
export async function writePdf(sheet: PdfSheet): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await openPdf(sheet, [sheet])) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Writes a PDF of one or more sheets. Each starts on a new page. The file can be read while it is being written.
 *  pdfkit is loaded on first use, because it would lengthen the program's startup by a sixth.
 * @param documentInfo title, language, author, and date of the file
 */
export async function openPdf(
  documentInfo: Omit<PdfSheet, 'brand' | 'parts'>,
  sheets: Iterable<PdfSheet> | AsyncIterable<PdfSheet>,
): Promise<Readable> {
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    size: 'LETTER',
    // Skips loading the default font, because all text uses our fonts.
    font: '',
    margin: 0,
    autoFirstPage: false,
    tagged: true,
    lang: `${documentInfo.language ?? DEFAULT_LANGUAGE}-US`,
    displayTitle: true,
    pdfVersion: '1.7',
    info: { Title: documentInfo.title, Author: documentInfo.footer[0] ?? '', CreationDate: documentInfo.createdAt },
  });
  for (const [name, font] of await openFonts()) doc.registerFont(name, font);
  const write = async () => {
    for await (const sheet of sheets) {
      doc.addPage();
      new Typesetter(doc, sheet).typeset();
      // Lets other requests run between sheets.
      await setImmediate();
    }
    doc.end();
  };
  // A document is a Readable, although its type is wider.
  const content = doc as unknown as Readable;
  write().catch((error: unknown) => content.destroy(error instanceof Error ? error : new Error(String(error))));
  return content;
}

type Style = {
  readonly size: number;
  readonly font?: FontName;
  readonly color?: string;
  readonly align?: 'left' | 'right';
};
type Box = { readonly x: number; readonly y: number; readonly width: number };

const BODY: Style = { size: 11 };
const SMALL: Style = { size: 9.5, color: MUTED };

/** Tag and style of each kind of text, with the space before and after it in points. */
const BLOCKS = {
  title: { tag: 'H1', style: { size: 25, font: 'title' }, before: 0, after: 22 },
  heading: { tag: 'H2', style: { size: 13, font: 'title' }, before: 14, after: 8 },
  text: { tag: 'P', style: BODY, before: 0, after: 8 },
  note: { tag: 'P', style: SMALL, before: 0, after: 6 },
} as const;

/** Word widths, cached because measuring is the slowest step, and sheets share most of their words. */
const wordWidths = new Map<string, number>();
const MAX_WIDTHS = 5000;

class Typesetter {
  readonly #doc: PDFKit.PDFDocument;
  readonly #sheet: PdfSheet;
  readonly #root: PDFKit.PDFStructureElement;
  #y = TOP;

  constructor(doc: PDFKit.PDFDocument, sheet: PdfSheet) {
    this.#doc = doc;
    this.#sheet = sheet;
    this.#root = doc.struct('Document');
    doc.addStructure(this.#root);
  }

  typeset(): void {
    this.#drawTagged('P', () => this.#drawHeader());
    const { parts } = this.#sheet;
    for (const [index, part] of parts.entries()) {
      const next = parts[index + 1];
      if (part.kind === 'heading' && next?.kind === 'table') this.#keepTogether(part.text, next);
      this.#drawPart(part);
    }
    this.#drawTagged('P', () => this.#drawFooter());
    this.#root.end();
  }

  /** Starts a new page if a heading and its table fit on one page, but not below the previous part. */
  #keepTogether(heading: string, { headings, rows, total }: PdfTable): void {
    const { style, before, after } = BLOCKS.heading;
    const widths = computeColumnWidths(headings.length);
    const body = [...rows, ...(total ? [total] : [])];
    const rowHeights = [
      this.#measureRowHeight(headings, SMALL, widths),
      ...body.map((texts) => this.#measureRowHeight(texts, BODY, widths)),
    ];
    const height = rowHeights.reduce(
      (sum, rowHeight) => sum + rowHeight,
      before + this.#measureHeight(heading, style, WIDTH) + after,
    );
    if (height <= BOTTOM - TOP) this.#reserve(height);
  }

  #drawPart(part: PdfPart): void {
    if (part.kind === 'details') this.#drawDetails(part.rows);
    else if (part.kind === 'table') this.#drawTable(part);
    else if (part.kind === 'highlight') this.#drawHighlight(part.text);
    else if (part.kind === 'address') this.#drawAddress(part.lines);
    else this.#drawBlock(part);
  }

  #drawBlock({ kind, text }: Extract<PdfPart, { kind: keyof typeof BLOCKS }>): void {
    const { tag, style, before, after } = BLOCKS[kind];
    this.#y += before;
    this.#reserve(this.#measureHeight(text, style, WIDTH));
    const box = { x: PAGE.margin, y: this.#y, width: WIDTH };
    this.#drawTagged(tag, () => this.#drawText(text, style, box));
    this.#y += this.#measureHeight(text, style, WIDTH) + after;
  }

  #drawHighlight(text: string): void {
    const style: Style = { ...BODY, font: 'title' };
    const innerWidth = WIDTH - 32;
    const height = this.#measureHeight(text, style, innerWidth) + 24;
    this.#reserve(height);
    this.#drawArtifact(() => this.#doc.roundedRect(PAGE.margin, this.#y, WIDTH, height, 8).fill(LAMP));
    const box = { x: PAGE.margin + 16, y: this.#y + 12, width: innerWidth };
    this.#drawTagged('P', () => this.#drawText(text, { ...style, color: NIGHT }, box));
    this.#y += height + 20;
  }

  #drawAddress(lines: readonly string[]): void {
    const box = { x: PAGE.margin, width: ADDRESS_WIDTH };
    let y = ADDRESS_TOP;
    this.#drawTagged('P', () => {
      for (const line of lines) {
        this.#drawText(line, BODY, { ...box, y });
        y += this.#measureHeight(line, BODY, ADDRESS_WIDTH);
      }
    });
    this.#y = Math.max(y, ADDRESS_BOTTOM);
  }

  #drawDetails(rows: readonly (readonly [string, string])[]): void {
    const [nameWidth, valueWidth] = [150, WIDTH - 150];
    const table = this.#openTable();
    for (const [name, value] of rows) {
      const height =
        Math.max(this.#measureHeight(name, BODY, nameWidth - 12), this.#measureHeight(value, BODY, valueWidth)) + 13;
      this.#reserve(height);
      const y = this.#y + 7;
      table.add(
        this.#doc.struct('TR', {}, [
          this.#createCell('TH', name, { ...BODY, color: MUTED }, { x: PAGE.margin, y, width: nameWidth - 12 }),
          this.#createCell('TD', value, BODY, { x: PAGE.margin + nameWidth, y, width: valueWidth }),
        ]),
      );
      this.#y += height;
      this.#drawRule(LINE);
    }
    table.end();
    this.#y += 12;
  }

  #measureRowHeight(texts: readonly string[], style: Style, widths: readonly number[]): number {
    return Math.max(...texts.map((text, column) => this.#measureHeight(text, style, (widths[column] ?? 0) - 12))) + 13;
  }

  #drawTable({ headings, rows, total }: PdfTable): void {
    const table = this.#openTable();
    const widths = computeColumnWidths(headings.length);
    const row = (tag: 'TH' | 'TD', texts: readonly string[], style: Style) => {
      const height = this.#measureRowHeight(texts, style, widths);
      this.#reserve(height);
      let x = PAGE.margin;
      const cells = texts.map((text, column) => {
        const width = widths[column] ?? 0;
        const isLast = column === texts.length - 1;
        const box = { x, y: this.#y + 7, width: isLast ? width : width - 12 };
        x += width;
        return this.#createCell(tag, text, { ...style, align: isLast && texts.length > 1 ? 'right' : 'left' }, box);
      });
      table.add(this.#doc.struct('TR', {}, cells));
      this.#y += height;
    };
    row('TH', headings, SMALL);
    for (const texts of rows) {
      this.#drawRule(LINE);
      row('TD', texts, BODY);
    }
    if (total) {
      this.#drawRule(INK);
      row('TD', total, { ...BODY, font: 'title' });
    }
    table.end();
    this.#y += 16;
  }

  /** Adds a table whose cells are drawn as they are added, so that each one is on the right page. */
  #openTable() {
    const table = this.#doc.struct('Table');
    this.#root.add(table);
    return table;
  }

  #createCell(tag: string, text: string, style: Style, box: Box) {
    return this.#doc.struct(tag, {}, () => this.#drawText(text, style, box));
  }

  #drawTagged(tag: string, draw: () => void): void {
    this.#root.add(this.#doc.struct(tag, {}, draw));
  }

  /** Draws decoration that screen readers skip. */
  #drawArtifact(draw: () => void): void {
    this.#doc.markContent('Artifact', { type: 'Layout' });
    draw();
    this.#doc.endMarkedContent();
  }

  #drawRule(color: string): void {
    this.#drawArtifact(() => {
      const { margin, width } = PAGE;
      this.#doc
        .moveTo(margin, this.#y)
        .lineTo(width - margin, this.#y)
        .lineWidth(0.75)
        .stroke(color);
    });
  }

  #reserve(height: number): void {
    if (this.#y + height <= BOTTOM) return;
    // Screen readers read the footer only once, at the end.
    this.#drawArtifact(() => this.#drawFooter());
    this.#doc.addPage();
    this.#drawArtifact(() => this.#drawHeader());
    this.#y = TOP;
  }

  #drawHeader(): void {
    const { margin, width } = PAGE;
    this.#doc.rect(0, 0, width, 8).fill(NIGHT);
    this.#doc.roundedRect(margin, 50, 10, 14, 2).fill(LAMP);
    this.#drawText(this.#sheet.brand, { size: 13, font: 'title' }, { x: margin + 20, y: 48, width: WIDTH - 20 });
  }

  #drawFooter(): void {
    const { margin, width, height } = PAGE;
    this.#doc.rect(0, height - 96, width, 96).fill(MIST);
    this.#sheet.footer.forEach((line, index) => {
      const style = index === 0 ? { ...SMALL, color: INK } : SMALL;
      this.#drawText(`${line} `, style, { x: margin, y: height - 80 + index * 15, width: WIDTH });
    });
  }

  #drawText(text: string, style: Style, { x, y, width }: Box): void {
    const { size, color = INK } = style;
    this.#wrapLines(text, style, width).forEach((line, row) => {
      let left = style.align === 'right' ? x + width - this.#measureWidth(line.trimEnd(), style) : x;
      for (const run of splitFontRuns(line, style.font ?? 'text')) {
        // The fonts differ in height but share their baseline.
        const baseline = y + row * size * LEADING + size;
        this.#doc.font(run.font, size).fillColor(color);
        this.#doc.text(run.text, left, baseline, { lineBreak: false, baseline: 'alphabetic' });
        left += this.#doc.widthOfString(run.text);
      }
    });
  }

  #measureHeight(text: string, style: Style, width: number): number {
    return this.#wrapLines(text, style, width).length * style.size * LEADING;
  }

  #measureWidth(text: string, style: Style): number {
    return text.split(/(?<= )/).reduce((sum, word) => sum + this.#measureWord(word, style), 0);
  }

  #measureWord(word: string, { size, font = 'text' }: Style): number {
    const key = `${font} ${size} ${word}`;
    const cachedWidth = wordWidths.get(key);
    if (cachedWidth !== undefined) return cachedWidth;
    const runs = splitFontRuns(word, font);
    const width = runs.reduce((sum, run) => sum + this.#doc.font(run.font, size).widthOfString(run.text), 0);
    if (wordWidths.size >= MAX_WIDTHS) wordWidths.clear();
    wordWidths.set(key, width);
    return width;
  }

  /** Wraps text into lines that fit, and breaks words that are wider than a line. */
  #wrapLines(text: string, style: Style, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
      const candidate = line === '' ? word : `${line} ${word}`;
      if (this.#measureWidth(candidate, style) <= width) {
        line = candidate;
        continue;
      }
      if (line !== '') lines.push(line);
      line = word;
      while (this.#measureWidth(line, style) > width) {
        const length = this.#countFittingCharacters(line, style, width);
        lines.push(line.slice(0, length));
        line = line.slice(length);
      }
    }
    // Lines end with the space between them, for copied text and screen readers.
    return [...lines.map((fullLine) => `${fullLine} `), line];
  }

  /** Number of characters at the start of a word that fit. */
  #countFittingCharacters(word: string, style: Style, width: number): number {
    let length = 1;
    while (length < word.length && this.#measureWidth(word.slice(0, length + 1), style) <= width) length += 1;
    return length;
  }
}

/** Narrow columns, except for the second-to-last one, which takes the remaining width. The last one is for amounts. */
function computeColumnWidths(columns: number): number[] {
  if (columns === 1) return [WIDTH];
  const narrowWidth = 96;
  const widest = WIDTH - narrowWidth * (columns - 1);
  return Array.from({ length: columns }, (_, column) => (column === columns - 2 ? widest : narrowWidth));
}
