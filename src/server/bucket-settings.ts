import path from 'node:path';
import { z } from 'zod';

/** A bucket at AWS or, with an endpoint, at another S3-compatible provider. */
export type S3Config = {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

export type BackupPlaceConfig =
  | { readonly folder: string }
  /** The prefix ends with a slash, or is empty. */
  | { readonly s3: S3Config; readonly prefix: string };

export type BackupConfig = {
  readonly to: BackupPlaceConfig;
  /** Encrypts the backups. */
  readonly secret: string | undefined;
};

const MIN_SECRET_LENGTH = 32;
const USUAL_REGION = 'us-east-1';
const text = z.string().trim().min(1);

/** The backup settings of config.ts. */
export const BACKUP_SETTINGS = {
  BACKUP_TO: text.optional(),
  BACKUP_KEY: z
    .string()
    .trim()
    .min(MIN_SECRET_LENGTH)
    // Rejects secrets that are easy to guess, as for AUTH_SECRET.
    .refine((secret) => new Set(secret).size >= 8)
    .optional(),
};

export const BACKUP_EXPECTED: Readonly<Record<string, string>> = {
  BACKUP_KEY: `at least ${MIN_SECRET_LENGTH} characters long and hard to guess: make one with “openssl rand -hex 32”`,
};

type BucketSettings = {
  readonly PICTURES_TO?: string | undefined;
  readonly BACKUP_TO?: string | undefined;
  readonly BACKUP_KEY?: string | undefined;
};

const PICTURES_PROBLEM = 'PICTURES_TO: must be an address such as s3://KEY:SECRET@bucket?region=us-east-1';
const BACKUP_PROBLEM =
  'BACKUP_TO: must be a folder, or a bucket such as s3://KEY:SECRET@bucket/prefix?region=us-east-1';

/** Finds problems with bucket addresses, and with settings that require one. */
export function bucketProblems({ PICTURES_TO, BACKUP_TO, BACKUP_KEY }: BucketSettings): string[] {
  const problems: string[] = [];
  const pictures = addressOf(PICTURES_TO);
  if (PICTURES_TO && (!pictures?.login || pictures.prefix !== '')) problems.push(PICTURES_PROBLEM);
  if (BACKUP_KEY && !BACKUP_TO) problems.push('BACKUP_TO: required with BACKUP_KEY');
  if (!isBucket(BACKUP_TO)) return problems;
  const backups = addressOf(BACKUP_TO);
  if (!backups) problems.push(BACKUP_PROBLEM);
  else if (!backups.login && !PICTURES_TO)
    problems.push('BACKUP_TO: needs the key and secret of the bucket: s3://KEY:SECRET@bucket/prefix');
  return problems;
}

/** The picture bucket; undefined if pictures are stored in DATA_DIR. */
export function pictureBucketOf({ PICTURES_TO }: BucketSettings): S3Config | undefined {
  const { login, bucket = '' } = addressOf(PICTURES_TO) ?? {};
  return login && { bucket, ...login };
}

/** A backup bucket without credentials uses those of the picture bucket. */
export function backupOf(settings: BucketSettings): BackupConfig | undefined {
  const { BACKUP_TO, BACKUP_KEY: secret } = settings;
  if (!BACKUP_TO) return undefined;
  if (!isBucket(BACKUP_TO)) return { to: { folder: path.resolve(BACKUP_TO) }, secret };
  const { bucket = '', prefix = '', login = pictureBucketOf(settings) } = addressOf(BACKUP_TO) ?? {};
  return login && { to: { s3: { ...login, bucket }, prefix }, secret };
}

type BucketAddress = {
  readonly bucket: string;
  readonly prefix: string;
  readonly login: Omit<S3Config, 'bucket'> | undefined;
};

function isBucket(place: string | undefined): boolean {
  return place?.trim().startsWith('s3:') === true;
}

/** A secret may contain unescaped slashes. */
const ADDRESS =
  /^s3:\/\/(?:(?<key>[^:@/\s]+):(?<secret>[^@\s]+)@)?(?<bucket>[a-z0-9][a-z0-9.-]+)(?:\/(?<prefix>[^?\s]*))?(?:\?(?<query>\S*))?$/;
const QUERY = z.strictObject({
  region: z
    .string()
    .regex(/^[\w-]+$/)
    .default(USUAL_REGION),
  // May contain a path.
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
});

/** Parses an address such as `s3://KEY:SECRET@bucket/prefix?region=eu-west-1&endpoint=https://s3.example`. */
function addressOf(place: string | undefined): BucketAddress | undefined {
  const { key, secret, bucket, prefix = '', query = '' } = ADDRESS.exec(place?.trim() ?? '')?.groups ?? {};
  const { data: options } = QUERY.safeParse(Object.fromEntries(new URLSearchParams(query)));
  const secretAccessKey = decoded(secret);
  if (bucket === undefined || !options || (key !== undefined && secretAccessKey === undefined)) return undefined;
  const { region, endpoint } = options;
  return {
    bucket,
    prefix: prefix.replace(/\/*$/, prefix === '' ? '' : '/'),
    login: key && secretAccessKey ? { accessKeyId: key, secretAccessKey, region, endpoint } : undefined,
  };
}

function decoded(part: string | undefined): string | undefined {
  try {
    return part && decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
