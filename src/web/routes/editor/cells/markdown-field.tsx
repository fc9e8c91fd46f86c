import { type ClipboardEvent, type DragEvent, type KeyboardEvent, type RefObject, useId } from 'react';
import { TextArea } from '#web/ui/field.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import styles from './markdown-field.module.css';
import { type MarkName, markSelection, type Replacement, replaced } from './marks.ts';

type MarkdownFieldProps = {
  /** What the text is called. */
  label: string;
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  rows: number;
  error: string | undefined;
  /** Whether it is plain words, which take no marks and no pictures. */
  plain: boolean;
  onType: (text: string) => void;
  onEnter: () => void;
  onSave: () => void;
  /** A picture was asked for; it may have been pasted or dropped already. */
  onPicture: (picture: File | undefined) => void;
};

const MARKS: readonly { readonly mark: MarkName; readonly label: string; readonly icon: IconName }[] = [
  { mark: 'bold', label: 'Bold', icon: 'bold' },
  { mark: 'italic', label: 'Italic', icon: 'italic' },
  { mark: 'heading', label: 'Heading', icon: 'heading' },
  { mark: 'list', label: 'List', icon: 'list' },
  { mark: 'link', label: 'Link', icon: 'link' },
];

/** The field that a text is written in, with buttons for its marks. */
export function MarkdownField(props: MarkdownFieldProps) {
  const { label, field, text, rows, error, plain, onType, onEnter, onSave, onPicture } = props;
  const id = useId();
  const press = (mark: MarkName) => {
    const area = field.current;
    if (!area) return;
    const { value, selectionStart: start, selectionEnd: end } = area;
    replaceIn(area, markSelection(mark, { text: value, start, end }), onType);
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onEnter();
    if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSave();
    }
  };
  const given = (event: ClipboardEvent | DragEvent, files: FileList | undefined) => {
    const picture = [...(files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (plain || !picture) return;
    event.preventDefault();
    onPicture(picture);
  };
  return (
    <div className={styles.field}>
      {!plain && (
        <div role="toolbar" aria-label="Marks" aria-controls={id} className={styles.tools}>
          {MARKS.map(({ mark, label: name, icon }) => (
            <button key={mark} type="button" aria-label={name} title={name} onClick={() => press(mark)}>
              <Icon name={icon} />
            </button>
          ))}
          <button type="button" onClick={() => onPicture(undefined)}>
            <Icon name="camera" /> Picture
          </button>
        </div>
      )}
      <TextArea
        id={id}
        ref={field}
        label={label}
        rows={rows}
        value={text}
        error={error}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={keyed}
        onPaste={(event) => given(event, event.clipboardData.files)}
        onDrop={(event) => given(event, event.dataTransfer.files)}
      />
    </div>
  );
}

/** Replaces a part of the field, so that the browser's own undo takes it back; where it cannot, by the text as a whole. */
export function replaceIn(area: HTMLTextAreaElement, part: Replacement, onType: (text: string) => void): void {
  area.focus();
  area.setSelectionRange(part.from, part.to);
  const isDone = document.execCommand(part.by === '' ? 'delete' : 'insertText', false, part.by);
  if (!isDone) onType(replaced(area.value, part));
  requestAnimationFrame(() => area.setSelectionRange(part.start, part.end));
}
