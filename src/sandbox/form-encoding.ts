// Stripe's requests are form-encoded with brackets: `line_items[0][price_data][currency]=usd`.
import { invalidRequest } from './api-error.ts';
import type { WireSchema } from './schemas/wire-schema.ts';

export type FormValue = string | FormTree;
/** Made without a prototype, so that a parameter named `__proto__` is a parameter like any other. */
export interface FormTree {
  [name: string]: FormValue;
}

const KEY = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const DEEPEST = 12;

/** Reads a body or a query. @throws StripeApiError when a name cannot be read */
export function decodeForm(text: string): FormTree {
  const root = emptyTree();
  for (const [name, value] of new URLSearchParams(text)) put(root, pathOf(name), value);
  return root;
}

function emptyTree(): FormTree {
  return Object.create(null) as FormTree;
}

function pathOf(name: string): string[] {
  const [, first, rest] = KEY.exec(name) ?? [];
  if (first === undefined) throw invalidRequest(`Invalid parameter name: ${name}`);
  const path = [first, ...[...(rest ?? '').matchAll(/\[([^[\]]*)\]/g)].map((match) => match[1] ?? '')];
  if (path.length > DEEPEST) throw invalidRequest(`Invalid parameter: ${first} is nested too deeply`, first);
  return path;
}

function put(root: FormTree, path: readonly string[], value: string): void {
  let tree = root;
  for (const [depth, name] of path.entries()) {
    // `expand[]=a&expand[]=b` counts by itself.
    const key = name === '' ? String(Object.keys(tree).length) : name;
    if (depth === path.length - 1) {
      tree[key] = value;
      return;
    }
    const inner = tree[key] ?? emptyTree();
    if (typeof inner === 'string') {
      throw invalidRequest(`Invalid parameter: ${path[0]} is both a value and a hash`, path[0]);
    }
    tree[key] = inner;
    tree = inner;
  }
}

/** Gives each value the type that the schema names. What cannot have it stays text, for the check to refuse. */
export function typed(value: FormValue | undefined, schema: WireSchema): unknown {
  if (schema.anyOf) return typedAsOneOf(value, schema.anyOf);
  if (value === undefined || typeof value === 'string') return scalar(value, schema.type);
  return schema.type === 'array' ? list(value, schema.items ?? {}) : hash(value, schema);
}

function scalar(value: string | undefined, type: WireSchema['type']): unknown {
  if (value === undefined) return undefined;
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (type === 'number' && /^-?\d{1,15}(\.\d+)?$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

function list(tree: FormTree, items: WireSchema): unknown {
  const keys = Object.keys(tree);
  if (!keys.every((key) => /^\d{1,6}$/.test(key))) return hash(tree, {});
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => typed(tree[key], items));
}

function hash(tree: FormTree, schema: WireSchema): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of Object.entries(tree)) result[key] = typed(value, schema.properties?.[key] ?? {});
  return result;
}

function typedAsOneOf(value: FormValue | undefined, alternatives: readonly WireSchema[]): unknown {
  const nested = alternatives.find((one) => one.type === 'object' || one.type === 'array');
  if (typeof value === 'object') return typed(value, nested ?? {});
  const readings = alternatives.map((one) => scalar(value, one.type));
  return readings.find((reading) => typeof reading !== 'string') ?? value;
}
