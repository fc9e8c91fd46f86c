// @spec 7.client
import { expect, test } from 'vitest';
import { parseServices, resolveApiBase } from '#web/api/client.ts';

const services = parseServices('dev.example.org=https://api.dev.example.org www.example.org=https://api.example.org');

test.each([
  // Local pages served by Vite call the API on port 8080.
  [{ protocol: 'http:', hostname: 'localhost', port: '5173' }, 'http://localhost:8080'],
  [{ protocol: 'http:', hostname: '127.0.0.1', port: '5173' }, 'http://127.0.0.1:8080'],
  [{ protocol: 'http:', hostname: '[::1]', port: '5173' }, 'http://[::1]:8080'],
  // Local pages served by the program itself, on any port.
  [{ protocol: 'http:', hostname: 'localhost', port: '8080' }, ''],
  [{ protocol: 'http:', hostname: '127.0.0.1', port: '41234' }, ''],
  // The development and production hosts.
  [{ protocol: 'https:', hostname: 'dev.example.org', port: '' }, 'https://api.dev.example.org'],
  [{ protocol: 'https:', hostname: 'www.example.org', port: '' }, 'https://api.example.org'],
])('calls from %o go to "%s"', (page, origin) => {
  const loggedMessages: string[] = [];
  expect(resolveApiBase(page, services, (message) => loggedMessages.push(message))).toBe(origin);
  expect(loggedMessages).toEqual([]);
});

test('an unknown host is logged and uses its own origin', () => {
  const loggedMessages: string[] = [];
  const page = { protocol: 'https:', hostname: 'elsewhere.example.org', port: '' };
  expect(resolveApiBase(page, services, (message) => loggedMessages.push(message))).toBe('');
  expect(loggedMessages).toEqual(["Can't find api url"]);
});

test('without a table, every host uses its own origin and nothing is logged', () => {
  const loggedMessages: string[] = [];
  const page = { protocol: 'https:', hostname: 'fund.example.org', port: '' };
  expect(resolveApiBase(page, parseServices(''), (message) => loggedMessages.push(message))).toBe('');
  expect(loggedMessages).toEqual([]);
});
