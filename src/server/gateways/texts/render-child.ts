import os from 'node:os';
import { Failure } from '#domain/failures.ts';
import type { Said } from './process-texts.ts';
import { renderText } from './render-text.ts';

// The program that process-texts.ts starts. It renders one text after another, and visitors come first.

const say = (said: Said) => process.send?.(said);

os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
process.on('message', (markdown: string) => {
  const html = renderText(markdown);
  say(html instanceof Failure ? { code: html.code, details: html.details } : { html });
});
say({ ready: true });
