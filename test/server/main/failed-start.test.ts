import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { INVALID_SETTINGS_STATUS } from '#server/config.ts';

/** A module whose timer keeps the process alive. */
const RUNNING_TIMER = 'data:text/javascript,setInterval(() => {}, 60_000)';

test('a failed start ends the process even if a timer is still running', async () => {
  const server = spawn(process.execPath, ['--import', RUNNING_TIMER, 'src/server/main.ts'], {
    env: { PATH: process.env.PATH, PORT: 'none' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
  });
  const messages: string[] = [];
  server.stderr.setEncoding('utf8').on('data', (text: string) => messages.push(text));
  expect(await once(server, 'close')).toEqual([INVALID_SETTINGS_STATUS, null]);
  expect(messages.join('')).toContain('PORT');
});
