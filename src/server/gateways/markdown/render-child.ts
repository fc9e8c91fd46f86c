import os from 'node:os';
import { Failure } from '#domain/failures.ts';
import { renderUserMarkdown } from './render-user-markdown.ts';
import type { RenderMessage } from './renderer-process.ts';

// Child process of renderer-process.ts. Renders one request at a time, at a lower priority than requests.

const send = (message: RenderMessage) => process.send?.(message);

os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
process.on('message', (markdown: string) => {
  const html = renderUserMarkdown(markdown);
  send(html instanceof Failure ? { code: html.code, details: html.details } : { html });
});
send({ ready: true });
