import type { FastifyInstance } from 'fastify';
import { Failure } from '#domain/failures.ts';

/** Exceeds the depth of any valid request. */
const MAX_JSON_DEPTH = 64;
/** The largest cart has 1,000 values. Parsing and checking a value costs far more than counting it. */
const MAX_VALUES = 2000;

/** Parses bodies of these types as JSON. Rejects very deep or very wide JSON first, because parsing it is slow. */
export function registerJsonParser(app: FastifyInstance, types: string | string[] = 'application/json'): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>(types, { parseAs: 'string' }, (request, body, done) => {
    const failure = jsonShapeFailure(body);
    if (failure) done(failure);
    else void parse(request, body, done);
  });
}

/**
 * Returns a failure for JSON that is nested too deeply to parse or store safely, or has too many values.
 * @param maxValues total number of array items and object properties
 */
export function jsonShapeFailure(json: string, maxValues = MAX_VALUES): Failure | undefined {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const char = json[index];
    if (isInString && char === '\\') index += 1;
    else if (char === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (char === ']' || char === '}') depth -= 1;
    else if (char === '[' || char === '{') depth += 1;
    else if (char === ',') values += 1;
    if (depth > MAX_JSON_DEPTH) return invalidInput('The request is nested too deeply.');
    if (values > maxValues) return invalidInput('The request has too many values.');
  }
  return undefined;
}

function invalidInput(problem: string): Failure {
  return new Failure('invalid-input', { problem });
}
