import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { S3Config } from '#server/config.ts';
import type { PictureFile, PictureFiles } from './picture-files.ts';

type Sdk = typeof import('@aws-sdk/client-s3');
type Bucket = { readonly sdk: Sdk; readonly client: S3Client; readonly name: string };

/** Pictures in a bucket of a store that speaks S3. The SDK is loaded at the first use: most installations have no bucket. */
export function bucketFiles(config: S3Config): PictureFiles {
  let opened: Promise<Bucket> | undefined;
  const bucket = () => {
    opened ??= openBucket(config);
    return opened;
  };
  return {
    put: async (name, bytes) => putObject(await bucket(), name, bytes),
    get: async (name) => getObject(await bucket(), name),
    removeAll: async (key) => removeObjects(await bucket(), `${key}/`),
  };
}

async function openBucket(config: S3Config): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    region: config.region,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    forcePathStyle: config.forcePathStyle,
    ...(config.endpoint ? { endpoint: config.endpoint } : {}),
    // Stores other than Amazon's know the newer checksums in part only.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
  });
  return { sdk, client, name: config.bucket };
}

async function putObject({ sdk, client, name: Bucket }: Bucket, Key: string, Body: Buffer): Promise<void> {
  const ContentType = Key.endsWith('.png') ? 'image/png' : 'image/webp';
  await client.send(new sdk.PutObjectCommand({ Bucket, Key, Body, ContentType }));
}

async function getObject({ sdk, client, name: Bucket }: Bucket, Key: string): Promise<PictureFile | undefined> {
  try {
    const { Body, ContentLength } = await client.send(new sdk.GetObjectCommand({ Bucket, Key }));
    if (!(Body instanceof Readable) || ContentLength === undefined) throw new Error('The bucket sent no file.');
    return { stream: Body, bytes: ContentLength };
  } catch (error) {
    if (error instanceof sdk.NoSuchKey) return undefined;
    throw error;
  }
}

/** One by one, since not every store has the call for many. A listing names a thousand at most. */
async function removeObjects({ sdk, client, name: Bucket }: Bucket, Prefix: string): Promise<void> {
  let ContinuationToken: string | undefined;
  do {
    const listed = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }));
    for (const { Key } of listed.Contents ?? []) await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }));
    ContinuationToken = listed.IsTruncated ? listed.NextContinuationToken : undefined;
  } while (ContinuationToken !== undefined);
}
