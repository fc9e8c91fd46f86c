// Generates the sandbox's request schemas from the installed Stripe SDK's types. Run it after updating the SDK.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGenerator, type Definition } from 'ts-json-schema-generator';
import { readSchemaSources } from './stripe-schemas/schema-sources.ts';
import { toWireSchema } from './stripe-schemas/to-wire-schema.ts';

const SCHEMA_FOLDER = new URL('../src/sandbox/schemas/', import.meta.url);
const TYPES_FILE = fileURLToPath(new URL('stripe-requests.ts', SCHEMA_FOLDER));
const SCHEMA_FILE = fileURLToPath(new URL('stripe-requests.gen.json', SCHEMA_FOLDER));
const COMPILER_OPTIONS = { module: 'NodeNext', moduleResolution: 'NodeNext', target: 'ES2022', strict: true };

/** @returns the content of stripe-requests.gen.json */
function generateSchemas(): string {
  const requests = Object.entries(toWireSchema(createTypeSchema()).properties ?? {});
  // One line per request keeps diffs after an SDK update readable.
  const lines = requests.map(([name, schema]) => `"${name}":${JSON.stringify(schema)}`);
  return `${JSON.stringify(readSchemaSources()).slice(0, -1)},"requests":{\n${lines.join(',\n')}\n}}\n`;
}

function createTypeSchema(): Definition {
  const folder = mkdtempSync(join(tmpdir(), 'stripe-schemas-'));
  const tsconfig = join(folder, 'tsconfig.json');
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: [] }));
  try {
    const options = { skipTypeCheck: true, additionalProperties: false, expose: 'all', jsDoc: 'none' } as const;
    return createGenerator({ path: TYPES_FILE, tsconfig, ...options }).createSchema('StripeRequests');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const text = generateSchemas();
writeFileSync(SCHEMA_FILE, text);
console.log(`${SCHEMA_FILE}: ${Math.round(text.length / 1024)} KB, from stripe ${readSchemaSources().stripe}`);
