import os from 'node:os';
import { Failure } from '#domain/failures.ts';
import type { RenderMessage } from './process-texts.ts';
import { renderMarkdownText } from './render-text.ts';

// Child process of process-texts.ts. Renders one text at a time, at a lower priority than requests.

const send = (message: RenderMessage) => process.send?.(message);

os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
process.on('message', (markdown: string) => {
  const html = renderMarkdownText(markdown);
  send(html instanceof Failure ? { code: html.code, details: html.details } : { html });
});
send({ ready: true });
