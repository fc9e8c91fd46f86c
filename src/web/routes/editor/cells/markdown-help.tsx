import { CELL_MAXIMUM } from '#domain/cells.ts';
import styles from './markdown-help.module.css';

const RULES: readonly { readonly write: string; readonly see: string }[] = [
  { write: 'An empty line', see: 'begins a new paragraph' },
  { write: '**words**', see: 'bold' },
  { write: '_words_', see: 'italic' },
  { write: '### Heading', see: 'a heading' },
  { write: '- first\n- second', see: 'a list' },
  { write: '1. first\n2. second', see: 'a numbered list' },
  { write: '[words](https://example.org)', see: 'a link' },
  { write: '> words', see: 'a quotation' },
];

/** How to write a text, for somebody who has never heard of markdown. */
export function MarkdownHelp() {
  return (
    <details className={styles.help}>
      <summary>How to write</summary>
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
        Paste or drop a picture into the text, or press Picture. Pictures of other sites are not shown. A text has at
        most {CELL_MAXIMUM.toLocaleString('en')} characters.
      </p>
    </details>
  );
}
