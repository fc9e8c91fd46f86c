import multipart, { type Multipart, type MultipartFile } from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { normalizeLineEndings } from '#domain/cells.ts';
import { Failure } from '#domain/failures.ts';
import { PHOTO_LIMIT_BYTES } from '#domain/profile.ts';
import { m } from '#messages';
import type { UploadedFile } from '#server/gateways/pictures/pictures.ts';
import { parseInput } from './input.ts';
import { endUpload, saveUpload } from './uploads.ts';

export type PhotoForm<Fields> = { readonly fields: Fields; readonly photo: Buffer | UploadedFile | undefined };

const FILE_FIELD = 'file';
/** More fields than any form in the contract has. */
const MAX_FIELDS = 10;

/** Limits for the parser. A story of 10,000 characters has at most 40,000 bytes. */
const LIMITS = {
  fileSize: PHOTO_LIMIT_BYTES,
  files: 1,
  fields: MAX_FIELDS,
  parts: MAX_FIELDS + 1,
  fieldNameSize: 100,
  fieldSize: 400_000,
  headerPairs: 20,
};

/** Registers the calls that accept a form. */
export async function registerPhotoForms(
  app: FastifyInstance,
  registerRoutes: (forms: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (forms) => {
    await forms.register(multipart, { limits: LIMITS, throwFileSizeLimit: false });
    // Unlike onResponse, onSend also runs if the sender has closed the connection.
    forms.addHook('onSend', endUpload);
    registerRoutes(forms);
  });
}

/**
 * Reads a form with its parts in any order. Reads even a rejected form to its end, because a browser that is still sending
 * wouldn't show the response.
 * @param aliases field names by their alternative names
 * @throws Failure unsupported-media-type, invalid-input, photo-too-large, too-many-requests
 */
export async function readPhotoForm<Schema extends z.ZodObject>(
  request: FastifyRequest,
  schema: Schema,
  aliases: Readonly<Record<string, string>> = {},
): Promise<PhotoForm<z.output<Schema>>> {
  if (!request.isMultipart()) throw new Failure('unsupported-media-type');
  request.server.reserveUploadSlot(request);
  const getFieldName = ({ fieldname }: Multipart) => aliases[fieldname] ?? fieldname;
  const { fields, photo, failure } = await readParts(request, getFieldName, Object.keys(schema.shape)).catch(
    throwIncompleteForm,
  );
  if (failure) throw failure;
  return { fields: parseInput(schema, Object.fromEntries(fields)), photo };
}

async function readParts(
  request: FastifyRequest,
  getFieldName: (part: Multipart) => string,
  knownFields: readonly string[],
) {
  const fields = new Map<string, unknown>();
  let photo: UploadedFile | undefined;
  let failure: Failure | undefined;
  for await (const part of request.parts()) {
    const name = getFieldName(part);
    failure ??= fieldFailure(part, name, knownFields, fields);
    if (part.type === 'field') fields.set(name, normalizeFieldValue(part.value));
    else photo = await readFilePart(request, part);
    if (part.type === 'file' && part.file.truncated) failure ??= new Failure('photo-too-large', { field: FILE_FIELD });
  }
  return { fields, photo, failure };
}

/** Converts line endings, which are CRLF in multipart forms. */
function normalizeFieldValue(value: unknown): unknown {
  return typeof value === 'string' ? normalizeLineEndings(value) : value;
}

/** The plugin's own errors have a status. The parser's errors, which mean that the form is incomplete, don't. */
function throwIncompleteForm(error: Error): never {
  if ('statusCode' in error) throw error;
  throw new Failure('invalid-input', { problem: (options) => m.inputFormIncomplete({}, options) });
}

function fieldFailure(
  part: Multipart,
  name: string,
  knownFields: readonly string[],
  previousFields: ReadonlyMap<string, unknown>,
): Failure | undefined {
  const isKnown = part.type === 'file' ? name === FILE_FIELD : knownFields.includes(name);
  if (!isKnown) return invalidFormFailure(`The form has an unknown field: "${name.slice(0, 40)}".`);
  if (previousFields.has(name)) return invalidFormFailure(`The form has the field "${name}" twice.`, name);
  if (part.type === 'field' && part.valueTruncated) return invalidFormFailure(`The ${name} is too long.`, name);
  return undefined;
}

/** Browsers send an empty file without a name if no photo was chosen. */
async function readFilePart(request: FastifyRequest, part: MultipartFile): Promise<UploadedFile | undefined> {
  const file = await saveUpload(request, part.file);
  return file.length === 0 && part.filename === '' ? undefined : file;
}

function invalidFormFailure(text: string, field?: string): Failure {
  return new Failure('invalid-input', { problem: text, ...(field === undefined ? {} : { field }) });
}
