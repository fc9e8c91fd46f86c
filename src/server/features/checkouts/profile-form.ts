import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { type ProfileFields, profileFields } from '#contract/schemas/checkouts.ts';
import { Failure } from '#domain/failures.ts';
import { PHOTO_LIMIT } from '#domain/profile.ts';
import { read } from '#server/http/input.ts';

export type ProfileForm = { readonly fields: ProfileFields; readonly photo: Buffer | undefined };

const FIELDS = Object.keys(profileFields.shape);
/** §7 calls it checkoutid, the form's other names are in camel case: both are taken. */
const OTHER_NAMES: Record<string, string> = { checkoutid: 'checkoutId' };
const FILE = 'file';

/** Bounds of what is read into memory; a story of 10,000 characters has at most 40,000 bytes. */
export const FORM_LIMITS = {
  fileSize: PHOTO_LIMIT,
  files: 1,
  fields: FIELDS.length,
  parts: FIELDS.length + 1,
  fieldNameSize: 100,
  fieldSize: 400_000,
  headerPairs: 20,
};

/**
 * Reads the form of a submitted profile, its parts in any order. It is read to its end even when it is refused:
 * a browser that is still sending would otherwise never see the answer.
 * @throws Failure unsupported-media-type, invalid-input, photo-too-large
 */
export async function readProfileForm(request: FastifyRequest): Promise<ProfileForm> {
  if (!request.isMultipart()) throw new Failure('unsupported-media-type');
  const { fields, photo, refusal } = await readParts(request).catch(refuseUnreadable);
  if (refusal) throw refusal;
  return { fields: read(profileFields, Object.fromEntries(fields)), photo };
}

async function readParts(request: FastifyRequest) {
  const fields = new Map<string, unknown>();
  let photo: Buffer | undefined;
  let refusal: Failure | undefined;
  for await (const part of request.parts()) {
    refusal ??= refusalOf(part, fields);
    if (part.type === 'field') fields.set(nameOf(part), part.value);
    else photo = await bytesOf(part);
    if (part.type === 'file' && part.file.truncated) refusal ??= new Failure('photo-too-large', { field: FILE });
  }
  return { fields, photo, refusal };
}

/** The plugin's own refusals carry a status; the parser's, of a form cut short or without a boundary, do not. */
function refuseUnreadable(error: Error): never {
  if ('statusCode' in error) throw error;
  throw problem('The form is incomplete.');
}

function nameOf({ fieldname }: Multipart): string {
  return OTHER_NAMES[fieldname] ?? fieldname;
}

function refusalOf(part: Multipart, before: ReadonlyMap<string, unknown>): Failure | undefined {
  const name = nameOf(part);
  const isKnown = part.type === 'file' ? name === FILE : FIELDS.includes(name);
  if (!isKnown) return problem(`The form has an unknown field: "${name.slice(0, 40)}".`);
  if (before.has(name)) return problem(`The form has the field "${name}" twice.`, name);
  if (part.type === 'field' && part.valueTruncated) return problem(`${name} is too long.`, name);
  return undefined;
}

/** A browser sends an empty file of no name for a photo that was not chosen. */
async function bytesOf(part: MultipartFile): Promise<Buffer | undefined> {
  const bytes = await part.toBuffer();
  return bytes.length === 0 && part.filename === '' ? undefined : bytes;
}

function problem(text: string, field?: string): Failure {
  return new Failure('invalid-input', { problem: text, ...(field === undefined ? {} : { field }) });
}
