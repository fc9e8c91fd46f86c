import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { badgePath, EMBED_BASE, EMBED_SCRIPT, embedPath } from '#contract/embed.ts';
import { localizeAddress } from '#contract/languages.ts';
import { LANGUAGES, type Language } from '#messages';
import { getPlaywrightBrowser } from '../test/browser.ts';
import { withTestServer } from './test-server.ts';

// npm run bench -- weight
//
// The transfer sizes of the home page in each language: the document with its styles, and all scripts before the first
// interaction. Exits with 1 when either is over its budget.

/** Bytes, including headers, so that the document fits into a connection's first packets. */
const DOCUMENT_BUDGET = 14_600;
const SCRIPT_BUDGET = 110_000;
const EMBED_BUDGET = 60 * 1024;
/** Scripts that load without interaction arrive within this time. */
const QUIET_MS = 5000;

const HOME_PATH = '/orgs/sample';

/** @returns whether all pages are within budget */
export async function run(): Promise<boolean> {
  return withTestServer({ withSample: true }, async ({ url, folder }) => {
    const reactBytes = await measureReact(folder);
    let isWithinBudget = true;
    for (const language of LANGUAGES) isWithinBudget = (await measureHome(url, language, reactBytes)) && isWithinBudget;
    return (await measureEmbed(url)) && isWithinBudget;
  });
}

/** Files that another site loads to show the calculator and the totals. */
async function measureEmbed(url: string): Promise<boolean> {
  const parts = [`${embedPath('sample', 'en')}?what=home`, `${EMBED_BASE}/embed.css`, `${EMBED_BASE}/size.js`];
  const weights = await Promise.all(
    [...parts, EMBED_SCRIPT, badgePath('sample', 'en')].map((part) => measureTransfer(url + part, 'gzip')),
  );
  const sum = weights.reduce((bytes, { body }) => bytes + body, 0);
  console.log(
    `\non other sites\n${formatLine(`calculator with its styles and scripts, and the totals (budget ${EMBED_BUDGET})`, sum)}`,
  );
  return sum <= EMBED_BUDGET;
}

async function measureHome(url: string, language: Language, reactBytes: number): Promise<boolean> {
  const home = url + localizeAddress(HOME_PATH, language);
  const document = await measureTransfer(home, 'br');
  const scripts = await measureScripts(home);
  const sum = scripts.reduce((bytes, script) => bytes + script.bytes, 0);
  console.log(`\n${language}`);
  for (const { name, bytes } of scripts) console.log(formatLine(name, bytes));
  console.log(formatLine(`home page scripts, gzip (budget ${SCRIPT_BUDGET})`, sum));
  console.log(formatLine('  including React and React DOM', reactBytes));
  console.log(
    formatLine(
      `home page document, br, including ${document.headers} bytes of headers (budget ${DOCUMENT_BUDGET})`,
      document.sum,
    ),
  );
  return document.sum <= DOCUMENT_BUDGET && sum <= SCRIPT_BUDGET;
}

type Script = { readonly name: string; readonly bytes: number };

/** The scripts that a browser loads without interaction. */
async function measureScripts(home: string): Promise<Script[]> {
  const browser = await chromium.launch({ ...getPlaywrightBrowser(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ serviceWorkers: 'block' });
    const scriptUrls = new Set<string>();
    page.on('request', (request) => request.resourceType() === 'script' && scriptUrls.add(request.url()));
    await page.goto(home, { waitUntil: 'networkidle' });
    await page.waitForTimeout(QUIET_MS);
    const weights = [...scriptUrls].map(async (script) => ({
      name: new URL(script).pathname,
      ...(await measureTransfer(script, 'gzip')),
    }));
    return (await Promise.all(weights))
      .map(({ name, body }) => ({ name, bytes: body }))
      .sort((a, b) => b.bytes - a.bytes);
  } finally {
    await browser.close();
  }
}

/** Transfer sizes in bytes. */
function measureTransfer(
  url: string,
  encoding: 'br' | 'gzip',
): Promise<{ headers: number; body: number; sum: number }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} returned ${response.statusCode}`));
      let body = 0;
      response.on('data', (chunk: Buffer) => {
        body += chunk.length;
      });
      response.on('end', () => {
        const status = `HTTP/1.1 ${response.statusCode} ${response.statusMessage}\r\n\r\n`.length;
        // Two bytes follow each name and each value.
        const headers = response.rawHeaders.reduce((bytes, part) => bytes + Buffer.byteLength(part) + 2, status);
        resolve({ headers, body, sum: headers + body });
      });
    });
    request.on('error', reject);
  });
}

/** The size of React alone, built the same way. */
async function measureReact(folder: string): Promise<number> {
  const entry = path.join(folder, 'react-alone.js');
  await writeFile(
    entry,
    `import { hydrateRoot } from 'react-dom/client'; import { useState } from 'react'; console.log(hydrateRoot, useState);`,
  );
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    mode: 'production',
    resolve: {
      alias: { react: path.resolve('node_modules/react'), 'react-dom': path.resolve('node_modules/react-dom') },
    },
    build: { write: false, rollupOptions: { input: entry } },
  });
  const outputs = [result].flat().flatMap((output) => ('output' in output ? output.output : []));
  return outputs.reduce(
    (bytes, output) => bytes + (output.type === 'chunk' ? gzipSync(output.code, { level: 9 }).length : 0),
    0,
  );
}

function formatLine(name: string, bytes: number): string {
  return `${bytes.toLocaleString('en-US').padStart(9)}  ${name}`;
}
