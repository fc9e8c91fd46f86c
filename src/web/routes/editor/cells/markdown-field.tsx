import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type RefObject, useId } from 'react';
import { MAX_CELL_LENGTH } from '#domain/cells.ts';
import type { Language } from '#messages';
import { TextArea } from '#web/ui/field.tsx';
import { Icon, LineIcon } from '#web/ui/icon.tsx';
import styles from './cells.module.css';

type MarkdownFieldProps = {
  label: string;
  /** Language of the text, for the browser's spell checker. */
  language: Language;
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  rows: number;
  error: string | undefined;
  /** True for plain text without formatting or images. */
  isPlainText: boolean;
  onTextChange: (text: string) => void;
  onEnter: () => void;
  onSave: () => void;
  /** Called with a pasted or dropped picture, or with undefined if the Image button was clicked. */
  onPicture: (picture: File | undefined) => void;
};

/** Toolbar buttons; `path` is the icon's SVG path. */
const MARKS: readonly { readonly mark: MarkName; readonly label: string; readonly path: string }[] = [
  { mark: 'bold', label: 'Bold', path: 'M7 5h6a3.500 3.500 0 0 1 0 7H7ZM7 12h7a3.500 3.500 0 0 1 0 7H7Z' },
  { mark: 'italic', label: 'Italic', path: 'M10 5h7M7 19h7M14 5l-4 14' },
  { mark: 'heading', label: 'Heading', path: 'M6 5v14M18 5v14M6 12h12' },
  {
    mark: 'list',
    label: 'List',
    path: 'M9 6.500h11M9 12h11M9 17.500h11M4.500 6.500v.1M4.500 12v.1M4.500 17.500v.1',
  },
  {
    mark: 'link',
    label: 'Link',
    path: 'M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1',
  },
];

export function MarkdownField(props: MarkdownFieldProps) {
  const { label, language, field, text, rows, error, isPlainText, onTextChange, onEnter, onSave, onPicture } = props;
  const id = useId();
  const applyMark = (mark: MarkName) => {
    const textarea = field.current;
    if (!textarea) return;
    const { value, selectionStart: start, selectionEnd: end } = textarea;
    replaceInTextarea(textarea, markSelection(mark, { text: value, start, end }), onTextChange);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onEnter();
    if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSave();
    }
  };
  const handlePicture = (event: ClipboardEvent | DragEvent, files: FileList | undefined) => {
    const picture = [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (isPlainText || !picture) return;
    event.preventDefault();
    onPicture(picture);
  };
  return (
    <div className={styles.field}>
      {!isPlainText && (
        <div role="toolbar" aria-label="Formatting" aria-controls={id} className={styles.tools}>
          {MARKS.map(({ mark, label: name, path }) => (
            <button key={mark} type="button" aria-label={name} title={name} onClick={() => applyMark(mark)}>
              <LineIcon path={path} />
            </button>
          ))}
          <button type="button" onClick={() => onPicture(undefined)}>
            <Icon name="camera" /> Image
          </button>
        </div>
      )}
      <TextArea
        id={id}
        ref={field}
        label={label}
        lang={language}
        rows={rows}
        value={text}
        error={error}
        onChange={({ currentTarget }) => onTextChange(currentTarget.value)}
        onKeyDown={handleKeyDown}
        onPaste={(event) => handlePicture(event, event.clipboardData.files)}
        onDrop={(event) => handlePicture(event, event.dataTransfer.files)}
      />
    </div>
  );
}

/** Replaces part of the text. The user can undo the change if the browser supports that. */
export function replaceInTextarea(
  textarea: HTMLTextAreaElement,
  replacement: TextReplacement,
  onTextChange: (text: string) => void,
): void {
  textarea.focus();
  textarea.setSelectionRange(replacement.from, replacement.to);
  const isReplaced = document.execCommand(
    replacement.newText === '' ? 'delete' : 'insertText',
    false,
    replacement.newText,
  );
  if (!isReplaced) onTextChange(applyReplacement(textarea.value, replacement));
  requestAnimationFrame(() => textarea.setSelectionRange(replacement.start, replacement.end));
}

const RULES: readonly { readonly write: string; readonly see: string }[] = [
  { write: 'A blank line', see: 'a new paragraph' },
  { write: '**words**', see: 'bold' },
  { write: '_words_', see: 'italic' },
  { write: '### Heading', see: 'a heading' },
  { write: '- first\n- second', see: 'a list' },
  { write: '1. first\n2. second', see: 'a numbered list' },
  { write: '[words](https://example.org)', see: 'a link' },
  { write: '> words', see: 'a quote' },
];

export function MarkdownHelp() {
  return (
    <details className={styles.help}>
      <summary>Formatting help</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">You write</th>
            <th scope="col">Visitors see</th>
          </tr>
        </thead>
        <tbody>
          {RULES.map(({ write, see }) => (
            <tr key={write}>
              <td>
                <code>{write}</code>
              </td>
              <td>{see}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Paste or drop an image into the text, or click Image. Images hosted elsewhere won’t show. Text can have up to{' '}
        {MAX_CELL_LENGTH.toLocaleString('en')} characters.
      </p>
    </details>
  );
}

type Selection = { readonly text: string; readonly start: number; readonly end: number };
/** A part of the text to replace, and the new selection. */
export type TextReplacement = {
  readonly from: number;
  readonly to: number;
  readonly newText: string;
  readonly start: number;
  readonly end: number;
};

export type MarkName = 'bold' | 'italic' | 'heading' | 'list' | 'link';

/** Toggles formatting of the selected words. */
export function markSelection(mark: MarkName, selected: Selection): TextReplacement {
  switch (mark) {
    case 'bold':
      return wrapInMark(selected, '**', 'bold words');
    case 'italic':
      return wrapInMark(selected, '_', 'italic words');
    case 'link':
      return wrapInLink(selected);
    case 'heading':
      return toggleLineMark(selected, '### ');
    case 'list':
      return toggleLineMark(selected, '- ');
  }
}

/** Replaces the selection with a picture, in its own paragraph. */
export function replaceWithPicture(
  { text, start, end }: Selection,
  address: string,
  description: string,
): TextReplacement {
  const words = description
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[\\[\]]/g, '\\$&');
  const leadingBreak = start === 0 || text.slice(0, start).endsWith('\n\n') ? '' : '\n\n';
  const trailingBreak = text.slice(end).startsWith('\n') ? '' : '\n\n';
  const newText = `${leadingBreak}![${words}](${address})${trailingBreak}`;
  const cursor = start + newText.length;
  return { from: start, to: end, newText, start: cursor, end: cursor };
}

export function applyReplacement(
  text: string,
  { from, to, newText }: Pick<TextReplacement, 'from' | 'to' | 'newText'>,
): string {
  return text.slice(0, from) + newText + text.slice(to);
}

function wrapInMark({ text, start, end }: Selection, mark: string, example: string): TextReplacement {
  const isMarked = text.slice(0, start).endsWith(mark) && text.slice(end).startsWith(mark);
  const words = text.slice(start, end);
  if (isMarked) {
    const from = start - mark.length;
    return { from, to: end + mark.length, newText: words, start: from, end: from + words.length };
  }
  const content = words || example;
  const contentStart = start + mark.length;
  return {
    from: start,
    to: end,
    newText: mark + content + mark,
    start: contentStart,
    end: contentStart + content.length,
  };
}

/** Inserts a link and selects its URL, so that the user can replace it. */
function wrapInLink({ text, start, end }: Selection): TextReplacement {
  const words = text.slice(start, end) || 'link text';
  const address = 'https://';
  const contentStart = start + words.length + 3;
  return {
    from: start,
    to: end,
    newText: `[${words}](${address})`,
    start: contentStart,
    end: contentStart + address.length,
  };
}

/** Adds the mark to each selected line, or removes it if every line has it. */
function toggleLineMark({ text, start, end }: Selection, mark: string): TextReplacement {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const to = lineEnd === -1 ? text.length : lineEnd;
  const lines = text.slice(from, to).split('\n');
  const isMarked = lines.every((line) => line.startsWith(mark));
  const newText = lines.map((line) => (isMarked ? line.slice(mark.length) : mark + line)).join('\n');
  return { from, to, newText, start: from, end: from + newText.length };
}
