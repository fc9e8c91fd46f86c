import path from 'node:path';
import { z } from 'zod';

/** An AWS bucket or, if `endpoint` is set, a bucket at another S3-compatible provider. */
export type S3Config = {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

export type BackupLocationConfig =
  | { readonly folder: string }
  /** The prefix ends with a slash, or is empty. */
  | { readonly s3: S3Config; readonly prefix: string };

export type BackupConfig = {
  readonly to: BackupLocationConfig;
  /** Key that encrypts the backups. */
  readonly secret: string | undefined;
};

const MIN_SECRET_LENGTH = 32;
const DEFAULT_REGION = 'us-east-1';
const text = z.string().trim().min(1);

/** The backup settings of settings-schema.ts. */
export const BACKUP_SETTINGS = {
  BACKUP_TO: text.optional(),
  BACKUP_KEY: z
    .string()
    .trim()
    .min(MIN_SECRET_LENGTH)
    // Rejects secrets that are easy to guess. The same rule applies to AUTH_SECRET.
    .refine((secret) => new Set(secret).size >= 8)
    .optional(),
};

export const EXPECTED_BACKUP_VALUES: Readonly<Record<string, string>> = {
  BACKUP_KEY: `at least ${MIN_SECRET_LENGTH} characters long and hard to guess: generate one with “openssl rand -hex 32”`,
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
export function findBucketProblems({ PICTURES_TO, BACKUP_TO, BACKUP_KEY }: BucketSettings): string[] {
  const problems: string[] = [];
  const pictures = parseBucketAddress(PICTURES_TO);
  if (PICTURES_TO && (!pictures?.credentials || pictures.prefix !== '')) problems.push(PICTURES_PROBLEM);
  if (BACKUP_KEY && !BACKUP_TO) problems.push('BACKUP_TO: required with BACKUP_KEY');
  if (!isBucket(BACKUP_TO)) return problems;
  const backups = parseBucketAddress(BACKUP_TO);
  if (!backups) problems.push(BACKUP_PROBLEM);
  else if (!backups.credentials && !PICTURES_TO)
    problems.push('BACKUP_TO: needs the key and secret of the bucket: s3://KEY:SECRET@bucket/prefix');
  return problems;
}

/** The picture bucket; undefined if pictures are stored in DATA_DIR. */
export function createPictureBucketConfig({ PICTURES_TO }: BucketSettings): S3Config | undefined {
  const { credentials, bucket = '' } = parseBucketAddress(PICTURES_TO) ?? {};
  return credentials && { bucket, ...credentials };
}

/** Creates the backup configuration. A backup bucket without credentials uses the credentials of the picture bucket. */
export function createBackupConfig(settings: BucketSettings): BackupConfig | undefined {
  const { BACKUP_TO, BACKUP_KEY: secret } = settings;
  if (!BACKUP_TO) return undefined;
  if (!isBucket(BACKUP_TO)) return { to: { folder: path.resolve(BACKUP_TO) }, secret };
  const {
    bucket = '',
    prefix = '',
    credentials = createPictureBucketConfig(settings),
  } = parseBucketAddress(BACKUP_TO) ?? {};
  return credentials && { to: { s3: { ...credentials, bucket }, prefix }, secret };
}

type BucketAddress = {
  readonly bucket: string;
  readonly prefix: string;
  readonly credentials: Omit<S3Config, 'bucket'> | undefined;
};

function isBucket(location: string | undefined): boolean {
  return location?.trim().startsWith('s3:') === true;
}

/** A secret may contain unescaped slashes. */
const ADDRESS_PATTERN =
  /^s3:\/\/(?:(?<key>[^:@/\s]+):(?<secret>[^@\s]+)@)?(?<bucket>[a-z0-9][a-z0-9.-]+)(?:\/(?<prefix>[^?\s]*))?(?:\?(?<query>\S*))?$/;
const QUERY_SCHEMA = z.strictObject({
  region: z
    .string()
    .regex(/^[\w-]+$/)
    .default(DEFAULT_REGION),
  // May contain a path.
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
});

/** Parses an address such as `s3://KEY:SECRET@bucket/prefix?region=eu-west-1&endpoint=https://s3.example`. */
function parseBucketAddress(location: string | undefined): BucketAddress | undefined {
  const { key, secret, bucket, prefix = '', query = '' } = ADDRESS_PATTERN.exec(location?.trim() ?? '')?.groups ?? {};
  const { data: options } = QUERY_SCHEMA.safeParse(Object.fromEntries(new URLSearchParams(query)));
  const secretAccessKey = tryDecode(secret);
  if (bucket === undefined || !options || (key !== undefined && secretAccessKey === undefined)) return undefined;
  const { region, endpoint } = options;
  return {
    bucket,
    prefix: prefix.replace(/\/*$/, prefix === '' ? '' : '/'),
    credentials: key && secretAccessKey ? { accessKeyId: key, secretAccessKey, region, endpoint } : undefined,
  };
}

function tryDecode(part: string | undefined): string | undefined {
  try {
    return part && decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
